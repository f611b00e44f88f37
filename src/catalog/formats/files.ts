import { channel } from 'node:diagnostics_channel';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that cannot be used as a whole; the message says why and names the file. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** None of the files at `paths` is of the format that was to be read; the import adds what that is. */
export class NoFileOfFormat extends UnreadableFile {
  override name = 'NoFileOfFormat';
  constructor(paths: readonly string[]) {
    super(`${paths.join(', ')}: no file of this format`);
  }
}

/** Readers publish how many bytes they took on this diagnostics channel, for progress displays. */
export const BYTES_READ_CHANNEL = 'mintmark:bytes-read';
const bytesRead = channel(BYTES_READ_CHANNEL);

const MAX_JSON_BYTES = 256 * 2 ** 20;
const MAX_LINE_BYTES = 1 << 20;

/**
 * The files behind `paths`, sorted: each path is a file, or a folder that is read recursively for files whose names
 * end with one of `extensions` (`.json`). Throws UnreadableFile for a path that does not exist.
 */
export async function listFiles(paths: readonly string[], extensions: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (info === null) throw new UnreadableFile(`${path}: no such file or folder`);
    if (!info.isDirectory()) {
      found.push(path);
      continue;
    }
    const inside = await readdir(path, { recursive: true, withFileTypes: true });
    for (const entry of inside) {
      if (entry.isFile() && extensions.some((ending) => entry.name.endsWith(ending)))
        found.push(join(entry.parentPath, entry.name));
    }
  }
  return [...new Set(found)].sort();
}

/** What is wrong with the file at `path`, for a message that names the file by itself. */
export function problemOf(error: UnreadableFile, path: string): string {
  return error.message.startsWith(`${path}: `) ? error.message.slice(path.length + 2) : error.message;
}

/** The text of one whole file. Throws UnreadableFile when it is too large or not UTF-8. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const info = await stat(path).catch(() => null);
  if (info === null) throw new UnreadableFile(`${path}: no such file`);
  if (info.size > maxBytes) throw new UnreadableFile(`${path}: ${info.size} bytes is over the limit of ${maxBytes}`);
  const bytes = await readFile(path);
  bytesRead.publish(bytes.length);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(`${path}: not UTF-8 text`);
  }
}

/** One whole JSON file as a value still to be checked. Throws UnreadableFile when too large, not UTF-8 or not JSON. */
export async function readJson(path: string, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
  const text = await readText(path, maxBytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(`${path}: not JSON (${(error as Error).message.slice(0, 120)})`);
  }
}

/** True when a JSON file is a list, by its first character. */
export async function startsWithList(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead: length } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return /^\ufeff?\s*\[/.test(buffer.toString('utf8', 0, length));
  } finally {
    await handle.close();
  }
}

/** The bytes of a file, piece by piece. */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    bytesRead.publish(chunk.length);
    yield chunk;
  }
}

export type FileLine =
  | { number: number; text: string }
  /** A line that is too long or not UTF-8: it was skipped without being kept in memory. */
  | { number: number; text: null; problem: string };

/** The lines of a text file, numbered from 1, without line ends; memory stays bounded whatever the file contains. */
export async function* readLines(path: string, maxLineBytes = MAX_LINE_BYTES): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let tooLong = false;
  let number = 0;
  const finish = (): FileLine => {
    number++;
    const bytes = Buffer.concat(pending);
    const wasTooLong = tooLong;
    pending = [];
    pendingBytes = 0;
    tooLong = false;
    if (wasTooLong) return { number, text: null, problem: `the line is longer than ${maxLineBytes} bytes` };
    try {
      const text = decoder.decode(bytes);
      return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text };
    } catch {
      return { number, text: null, problem: 'the line is not UTF-8 text' };
    }
  };
  const keep = (part: Buffer) => {
    pendingBytes += part.length;
    if (pendingBytes > maxLineBytes) {
      tooLong = true;
      pending = [];
    } else if (!tooLong) pending.push(part);
  };
  for await (const chunk of readChunks(path)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (pendingBytes > 0) yield finish();
}
