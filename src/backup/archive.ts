import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Headers, type Pack, pack } from 'tar-stream';
import { damaged, UnusableBackup } from './backup-error.ts';

/**
 * A backup is a tar file. Its last member, the seal, is the SHA-256 of every byte before it: who reads the file to its
 * end knows that all of it is as it was written.
 */

/** Adds members to a backup, one after the other; each call resolves when the member was passed on. */
export type ArchiveWriter = {
  add(name: string, content: Buffer): Promise<void>;
  /** A member of exactly `size` bytes. */
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>;
};

/** A member of a backup; its content can be read once, before the next member. */
export type ArchiveMember = { name: string; size: number; content: AsyncIterable<Buffer> };

const SEAL = 'sha256';
const BLOCK = 512;
/** Two blocks of zeros end a tar file. */
const END_BYTES = 2 * BLOCK;
/** A header, the digest, the end. */
const SEAL_BYTES = 2 * BLOCK + END_BYTES;
const DIGEST = /^[0-9a-f]{64}\n$/;

/**
 * Writes a backup to a stream, which stays open where `end` is false; returns how many bytes. When `fill` or the stream fails,
 * or the signal aborts, the stream is destroyed and the fault thrown.
 */
export async function writeArchive(
  to: Writable,
  fill: (archive: ArchiveWriter) => Promise<void>,
  { signal, end = true }: { signal?: AbortSignal; end?: boolean } = {},
): Promise<number> {
  const tar = pack().on('error', () => {});
  let bytes = 0;
  let fault: Error | null = null;
  let fail = (_: Error): void => {};
  const counted = async function* () {
    for await (const chunk of sealed(tar)) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const sent = pipeline(counted, to, { end, ...(signal && { signal }) });
  sent.catch((error: Error) => {
    fault = error;
    fail(error);
  });
  /** Resolves when the member that `begin` adds was passed on; rejects when the stream fails, which tar does not report. */
  const member = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (fault !== null) return reject(fault);
      fail = reject;
      begin((error) => (error ? reject(error) : resolve()));
    });
  try {
    await fill({
      // The fault of a member is that of `sent` or of `done`.
      add: (name, content) =>
        member((done) => tar.entry(header(name, content.length), content, done).on('error', () => {})),
      addStream: (name, size, content) =>
        member((done) => pipeline(content, tar.entry(header(name, size))).then(() => done(), done)),
    });
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
    await sent.catch(() => {});
    throw fault ?? error;
  }
  await sent;
  return bytes;
}

/**
 * The members of a backup, in order. Only when the last one was passed on is every byte known to be as it was written: what
 * was done with the members until then must be undone when this throws.
 * @throws UnusableBackup when the file is not a backup, or is damaged or cut off.
 */
export async function* readArchive(from: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveMember, void> {
  const tar = extract();
  const fed = pipeline(() => unsealed(from), tar);
  fed.catch(() => {});
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file') throw new UnusableBackup(`it has ${name}, which is not a file`);
      // The seal is read off the end: as a member, it is not where it was written.
      if (name === SEAL) throw new UnusableBackup('it is damaged: its checksum is not at its end');
      yield { name, size, content: contentIn(entry) };
      entry.resume();
    }
    await fed;
  } catch (error) {
    throw damaged(error);
  } finally {
    tar.destroy();
  }
}

/** The bytes of a member that is read into memory. Throws UnusableBackup above `most` bytes. */
export async function contentOf({ name, size, content }: ArchiveMember, most: number): Promise<Buffer> {
  if (size > most) throw new UnusableBackup(`${name} has ${size} bytes, and ${most} are allowed`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* contentIn(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* entry;
  } catch (error) {
    throw damaged(error);
  }
}

function header(name: string, size: number): Headers {
  return { name, size, type: 'file', mode: 0o600 };
}

async function* sealed(tar: Pack): AsyncGenerator<Buffer, void> {
  const { digest } = yield* hashed(tar, END_BYTES);
  const seal = pack();
  seal.entry({ ...header(SEAL, digest.length + 1), mtime: new Date(0) }, `${digest}\n`);
  seal.finalize();
  for await (const chunk of seal) yield chunk;
}

async function* unsealed(from: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  const { digest, rest } = yield* hashed(from, SEAL_BYTES);
  const text = rest.toString('latin1', BLOCK, BLOCK + digest.length + 1);
  const isWhole =
    rest.length === SEAL_BYTES &&
    rest.toString('latin1', 0, SEAL.length + 1) === `${SEAL}\0` &&
    DIGEST.test(text) &&
    rest.subarray(BLOCK + text.length).every((byte) => byte === 0);
  if (!isWhole) throw new UnusableBackup('it is cut off, or not a backup');
  if (text !== `${digest}\n`) throw new UnusableBackup('it is damaged: its checksum is wrong');
}

/** Passes on all but the `last` bytes of a stream; returns those, and the SHA-256 of the bytes that it passed on. */
async function* hashed(
  stream: AsyncIterable<Uint8Array>,
  last: number,
): AsyncGenerator<Buffer, { digest: string; rest: Buffer }> {
  const sum = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    if (rest.length <= last) continue;
    const known = rest.subarray(0, rest.length - last);
    sum.update(known);
    yield known;
    rest = rest.subarray(rest.length - last);
  }
  return { digest: sum.digest('hex'), rest };
}
