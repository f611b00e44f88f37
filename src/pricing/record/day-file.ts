import { createHash, type Hash } from 'node:crypto';
import { HASH_BYTES, LEAF_PREFIX, rootOfLeaves, writeHash } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** What a file is made in; the next one may be made in the same. */
export type FileMemory = { block: Buffer; leaves: Buffer };

/**
 * A day's file in the making: each line ends with a line feed. The lines of `waiting`, of so many characters with their line feeds,
 * are not hashed yet; `leaves` has room for more.
 */
export type OpenDayFile = FileMemory & {
  lines: number;
  bytes: number;
  hash: Hash;
  waiting: string[];
  characters: number;
};

/** Lines are hashed in blocks of about so many: encoding each alone would take half as long as hashing it. */
const BLOCK_CHARACTERS = 1 << 16;
/** Of UTF-8. */
const MOST_BYTES_A_CHARACTER = 3;
const FIRST_LINES = 64;
const LINE_FEED = 0x0a;

export function fileMemory(): FileMemory {
  return {
    block: Buffer.allocUnsafe(MOST_BYTES_A_CHARACTER * BLOCK_CHARACTERS),
    leaves: Buffer.allocUnsafe(FIRST_LINES * HASH_BYTES),
  };
}

export function openDayFile({ block, leaves }: FileMemory): OpenDayFile {
  return { lines: 0, leaves, bytes: 0, hash: createHash('sha256'), block, waiting: [], characters: 0 };
}

/** Adds a line, by its text without the line feed. */
export function addLine(file: OpenDayFile, text: string): void {
  file.waiting.push(text);
  file.characters += text.length + 1;
  if (file.characters > BLOCK_CHARACTERS) hashWaiting(file);
}

function hashWaiting(file: OpenDayFile): void {
  const { waiting, characters } = file;
  if (waiting.length === 0) return;
  const most = 1 + MOST_BYTES_A_CHARACTER * characters;
  if (most > file.block.length) file.block = Buffer.allocUnsafe(most);
  const { block } = file;
  const end = 1 + block.write(`${waiting.join('\n')}\n`, 1);
  const isAscii = end === 1 + characters;
  const room = (file.lines + waiting.length) * HASH_BYTES;
  if (room > file.leaves.length) file.leaves = Buffer.concat([file.leaves, Buffer.allocUnsafe(room)]);
  let begin = 1;
  for (const text of waiting) {
    const lineEnd = begin + (isAscii ? text.length : Buffer.byteLength(text));
    // The prefix of a leaf takes the place of the line feed before it: the line need not be copied.
    block[begin - 1] = LEAF_PREFIX;
    writeHash(block.subarray(begin - 1, lineEnd), file.leaves, file.lines++ * HASH_BYTES);
    block[begin - 1] = LINE_FEED;
    begin = lineEnd + 1;
  }
  file.hash.update(block.subarray(1, end));
  file.bytes += end - 1;
  file.waiting = [];
  file.characters = 0;
}

export function closeDayFile(file: OpenDayFile): DayFile {
  hashWaiting(file);
  const { lines, bytes, hash } = file;
  const leaves = Buffer.from(file.leaves.subarray(0, lines * HASH_BYTES));
  return { root: rootOfLeaves(leaves), lines, leaves, bytes, digest: hash.digest() };
}
