import { createHash, type Hash } from 'node:crypto';
import { type DayLine, lineText } from '../../record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../record/merkle.ts';

/** What is stored of a day's file: its Merkle root, its leaf hashes one after another, its length and SHA-256. */
export type DayFile = { root: Buffer; lines: number; leaves: Buffer; bytes: number; digest: Buffer };

/** A day's file in the making: each line ends with a line feed. */
export type OpenDayFile = { leaves: Buffer[]; bytes: number; hash: Hash };

export function openDayFile(): OpenDayFile {
  return { leaves: [], bytes: 0, hash: createHash('sha256') };
}

export function addLine(file: OpenDayFile, line: DayLine): void {
  const text = lineText(line);
  file.leaves.push(leafHash(text));
  const bytes = Buffer.from(`${text}\n`);
  file.bytes += bytes.length;
  file.hash.update(bytes);
}

export function closeDayFile({ leaves, bytes, hash }: OpenDayFile): DayFile {
  return {
    root: rootOf(treeOf(leaves)),
    lines: leaves.length,
    leaves: Buffer.concat(leaves),
    bytes,
    digest: hash.digest(),
  };
}
