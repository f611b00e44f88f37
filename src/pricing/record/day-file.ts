import { createHash, type Hash } from 'node:crypto';
import { HASH_BYTES, LEAF_PREFIX, rootOfLeaves, writeHash } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** What a file is made in; the next one may be made in the same. */
export type FileMemory = { block: Buffer; leaves: Buffer };

/**
 * A day's file in the making: each line ends with a line feed. The bytes of `block` from 1 to `end` are not in `hash` and `bytes`
 * yet; `leaves` has room for more.
 */
export type OpenDayFile = FileMemory & { lines: number; bytes: number; hash: Hash; end: number };

const BLOCK_BYTES = 1 << 16;
const FIRST_LINES = 64;
const LINE_FEED = 0x0a;

export function fileMemory(): FileMemory {
  return { block: Buffer.allocUnsafe(BLOCK_BYTES), leaves: Buffer.allocUnsafe(FIRST_LINES * HASH_BYTES) };
}

export function openDayFile({ block, leaves }: FileMemory): OpenDayFile {
  return { lines: 0, leaves, bytes: 0, hash: createHash('sha256'), block, end: 1 };
}

/** Adds a line, by its text without the line feed. */
export function addLine(file: OpenDayFile, text: string): void {
  const most = 3 * text.length + 1;
  if (file.end + most > file.block.length) hashBlock(file, most);
  const { block, end: begin } = file;
  const end = begin + block.write(text, begin);
  const at = file.lines++ * HASH_BYTES;
  if (at === file.leaves.length) file.leaves = Buffer.concat([file.leaves, Buffer.allocUnsafe(at)]);
  // The prefix of a leaf takes the place of the line feed before it: the line need not be copied.
  block[begin - 1] = LEAF_PREFIX;
  writeHash(block.subarray(begin - 1, end), file.leaves, at);
  block[begin - 1] = LINE_FEED;
  block[end] = LINE_FEED;
  file.end = end + 1;
}

/** Empties the block, which then has room for a line of so many bytes. */
function hashBlock(file: OpenDayFile, room: number): void {
  file.hash.update(file.block.subarray(1, file.end));
  file.bytes += file.end - 1;
  file.end = 1;
  if (1 + room > file.block.length) file.block = Buffer.allocUnsafe(1 + room);
}

export function closeDayFile(file: OpenDayFile): DayFile {
  hashBlock(file, 0);
  const { lines, bytes, hash } = file;
  const leaves = Buffer.from(file.leaves.subarray(0, lines * HASH_BYTES));
  return { root: rootOfLeaves(leaves), lines, leaves, bytes, digest: hash.digest() };
}
