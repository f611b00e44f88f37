import { createHash, type Hash } from 'node:crypto';
import { leafText, rootOfLeaves } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** A day's file in the making: each line ends with a line feed. Those of `waiting`, of so many characters, are not in `hash` yet. */
export type OpenDayFile = { leaves: string[]; bytes: number; hash: Hash; waiting: string[]; characters: number };

/** Lines enter the hash of the file in blocks of about so many. */
const BLOCK_CHARACTERS = 1 << 16;

export function openDayFile(): OpenDayFile {
  return { leaves: [], bytes: 0, hash: createHash('sha256'), waiting: [], characters: 0 };
}

/** Adds a line, by its text without the line feed. */
export function addLine(file: OpenDayFile, text: string): void {
  file.leaves.push(leafText(text));
  file.waiting.push(text);
  file.characters += text.length;
  if (file.characters > BLOCK_CHARACTERS) hashWaiting(file);
}

function hashWaiting(file: OpenDayFile): void {
  if (file.waiting.length === 0) return;
  const block = `${file.waiting.join('\n')}\n`;
  file.hash.update(block);
  file.bytes += Buffer.byteLength(block);
  file.waiting = [];
  file.characters = 0;
}

export function closeDayFile(file: OpenDayFile): DayFile {
  hashWaiting(file);
  const leaves = Buffer.from(file.leaves.join(''), 'binary');
  return {
    root: rootOfLeaves(leaves),
    lines: file.leaves.length,
    leaves,
    bytes: file.bytes,
    digest: file.hash.digest(),
  };
}
