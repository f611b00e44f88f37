import { hash } from 'node:crypto';

/** The rows of a table: how many, and a hash of their content that does not depend on their order. */
export type RowSummary = { rows: number; hash: string };

const NEWLINE = 10;
const WORDS = 8;

/**
 * Summarizes rows in COPY's text format, a line each, that arrive in pieces of any size. The hash is the sum of the SHA-256
 * of each row, by words of 32 bits: servers return rows in any order.
 */
export function newRowHash(): { update(piece: Buffer): void; summary(): RowSummary } {
  const sums = new Uint32Array(WORDS);
  let begun: Buffer[] = [];
  let rows = 0;

  function add(row: Buffer): void {
    const digest = hash('sha256', row, 'buffer');
    for (let word = 0; word < WORDS; word++) sums[word]! += digest.readUInt32LE(4 * word);
    rows++;
  }

  return {
    update(piece) {
      let from = 0;
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
        const line = piece.subarray(from, end);
        add(begun.length === 0 ? line : Buffer.concat([...begun, line]));
        begun = [];
        from = end + 1;
      }
      if (from < piece.length) begun.push(piece.subarray(from));
    },
    summary: () => ({ rows, hash: [...sums].map((sum) => sum.toString(16).padStart(8, '0')).join('') }),
  };
}
