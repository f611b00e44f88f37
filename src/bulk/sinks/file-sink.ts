import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { fileDigest } from '../../files.ts';
import type { FileRow } from '../file-table.ts';

/** A file that was written: its size, the SHA-256 of its bytes (hex), and how many rows it has. */
export type WrittenFile = { bytes: number; sha256: string; rows: number };

/** Takes rows in order and writes them to a file in one format. What it holds does not grow with the file. */
export type FileSink = {
  write(rows: readonly FileRow[]): Promise<void>;
  /** Ends the file and forces it to the disk. */
  end(): Promise<WrittenFile>;
  /** Closes it as it is: nobody will need it. */
  drop(): Promise<void>;
};

/** A file that bytes are appended to, with their digest. Fails where there is a file of that name. */
export async function openDigested(path: string) {
  const file = await open(path, 'wx', 0o644);
  const digest = createHash('sha256');
  let bytes = 0;
  return {
    async append(chunk: Uint8Array): Promise<void> {
      digest.update(chunk);
      bytes += chunk.length;
      await file.appendFile(chunk);
    },
    async close(rows: number): Promise<WrittenFile> {
      await file.sync();
      await file.close();
      return { bytes, sha256: digest.digest('hex'), rows };
    },
    drop: () => file.close(),
  };
}

/** Forces a file that is complete to the disk, and reads its digest. */
export async function digestFile(path: string, rows: number): Promise<WrittenFile> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
  const { size } = await stat(path);
  return { bytes: size, sha256: (await fileDigest(path)).toString('hex'), rows };
}
