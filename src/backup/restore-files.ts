import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pepperPath } from '../access/pepper.ts';
import { readSecret } from '../access/secret-file.ts';
import { syncFolder } from '../files.ts';
import { recordKeyPath } from '../receipts/record-keys.ts';
import { type ArchiveMember, contentOf } from './archive.ts';
import { NotRestorable, UnusableBackup } from './backup-error.ts';
import { PEPPER, RECORD_KEY } from './kept-files.ts';

/** Files of a backup on their way into a data folder, where they appear only with `place`. */
export type StagedFiles = {
  secrets: Map<string, Buffer>;
  /** Takes a member. Throws UnusableBackup for one that is not known, NotRestorable for a secret that differs from the folder's. */
  take(member: ArchiveMember): Promise<void>;
  /** Moves everything to its place. */
  place(): Promise<void>;
  discard(): Promise<void>;
};

/** Folder of settings of the backup, in the data folder: they are not put in force. */
export const RESTORED_SETTINGS = 'restored-settings';

const UNFINISHED = 'restore.part';
const MOST_SECRET_BYTES = 4096;
/** Files and where they go; no other name is written. */
const PLACES: readonly [RegExp, string][] = [
  [/^data\/(images\/[0-9a-f]{2}\/[0-9a-f]{32}-\d{2,4}\.webp)$/, ''],
  [/^data\/(models\/[0-9a-f]{64}\.onnx)$/, ''],
  // The part after the dot is the operator's own: `.en_US`, `.txt~`.
  [/^settings\/([A-Za-z_]+(?:\.[^/\\\0]*)?)$/, RESTORED_SETTINGS],
];

/** Begins to restore files. With `onlySecrets`, pictures, models and settings are read and not kept. */
export async function stageFiles(dataDir: string, { onlySecrets = false } = {}): Promise<StagedFiles> {
  const staging = join(dataDir, UNFINISHED);
  await rm(staging, { recursive: true, force: true });
  const paths = new Map([
    [PEPPER, pepperPath({ dataDir })],
    [RECORD_KEY, recordKeyPath({ dataDir })],
  ]);
  const secrets = new Map<string, Buffer>();

  async function takeSecret(member: ArchiveMember, path: string): Promise<void> {
    const secret = await contentOf(member, MOST_SECRET_BYTES);
    const present = await readSecret(path);
    if (present !== null && !present.equals(secret))
      throw new NotRestorable(
        `${path} belongs to another installation: restore into an empty data folder (MINTMARK_DATA).`,
      );
    secrets.set(member.name, secret);
  }

  return {
    secrets,
    async take(member) {
      const path = paths.get(member.name);
      if (path !== undefined) return await takeSecret(member, path);
      const place = placeOf(member.name);
      if (place === null)
        throw new UnusableBackup(`it has ${member.name}, which this version does not know: use a newer one`);
      if (onlySecrets) return;
      await mkdir(join(staging, dirname(place)), { recursive: true, mode: 0o700 });
      await pipeline(member.content, createWriteStream(join(staging, place), { mode: 0o600 }));
    },
    async place() {
      await moveFiles(staging, dataDir);
      await rm(staging, { recursive: true, force: true });
      for (const [name, secret] of secrets) {
        const path = paths.get(name)!;
        if ((await readSecret(path)) === null) await writeFile(path, secret, { flag: 'wx', mode: 0o600, flush: true });
      }
      await syncFolder(dataDir);
    },
    discard: () => rm(staging, { recursive: true, force: true }),
  };
}

function placeOf(name: string): string | null {
  for (const [pattern, folder] of PLACES) {
    const file = pattern.exec(name)?.[1];
    if (file !== undefined) return join(folder, file);
  }
  return null;
}

/** Also to another disk: the folder of pictures may be a link. */
async function move(source: string, target: string): Promise<void> {
  await rename(source, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    const unfinished = `${target}.part`;
    await copyFile(source, unfinished);
    await rename(unfinished, target);
  });
}

/** Moves every file below a folder to its place below another; a file of the same name is replaced. */
async function moveFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await moveFiles(source, target);
    } else {
      await move(source, target);
    }
  }
}
