import { createHash, type Hash } from 'node:crypto';
import { type DayLine, lineText } from '../../record/day-line.ts';
import { HASH_BYTES, rootOfLeaves, writeLeafHash } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** A day's file in the making: each line ends with a line feed. `leaves` has room for more. */
export type OpenDayFile = { lines: number; leaves: Buffer; bytes: number; hash: Hash; waiting: string };

const BLOCK_CHARS = 1 << 16;
const FIRST_LINES = 64;

export function openDayFile(): OpenDayFile {
  const leaves = Buffer.alloc(FIRST_LINES * HASH_BYTES);
  return { lines: 0, leaves, bytes: 0, hash: createHash('sha256'), waiting: '' };
}

export function addLine(file: OpenDayFile, line: DayLine): void {
  const text = lineText(line);
  const at = file.lines++ * HASH_BYTES;
  if (at === file.leaves.length) file.leaves = Buffer.concat([file.leaves, Buffer.alloc(at)]);
  writeLeafHash(text, file.leaves, at);
  file.waiting += `${text}\n`;
  if (file.waiting.length >= BLOCK_CHARS) hashBlock(file);
}

function hashBlock(file: OpenDayFile): void {
  const bytes = Buffer.from(file.waiting);
  file.bytes += bytes.length;
  file.hash.update(bytes);
  file.waiting = '';
}

export function closeDayFile(file: OpenDayFile): DayFile {
  hashBlock(file);
  const { lines, bytes, hash } = file;
  const leaves = Buffer.from(file.leaves.subarray(0, lines * HASH_BYTES));
  return { root: rootOfLeaves(leaves), lines, leaves, bytes, digest: hash.digest() };
}
