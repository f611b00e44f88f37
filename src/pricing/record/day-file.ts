import { createHash, type Hash } from 'node:crypto';
import { type DayLine, lineText } from '../../record/day-line.ts';
import { leafHash, rootOfLeaves } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** A day's file in the making: each line ends with a line feed. */
export type OpenDayFile = { leaves: Buffer[]; bytes: number; hash: Hash; waiting: string };

const BLOCK_CHARS = 1 << 16;

export function openDayFile(): OpenDayFile {
  return { leaves: [], bytes: 0, hash: createHash('sha256'), waiting: '' };
}

export function addLine(file: OpenDayFile, line: DayLine): void {
  const text = lineText(line);
  file.leaves.push(leafHash(text));
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
  const leaves = Buffer.concat(file.leaves);
  const { bytes, hash } = file;
  return { root: rootOfLeaves(leaves), lines: file.leaves.length, leaves, bytes, digest: hash.digest() };
}
