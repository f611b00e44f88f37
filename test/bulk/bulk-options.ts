import { createHash } from 'node:crypto';
import type { BulkOptions } from '../../src/bulk/make-bulk.ts';

/** What tests make bulk files with, less the database and the folder. */
export const OPTIONS: Omit<BulkOptions, 'db' | 'folder'> = {
  baseUrl: 'https://prices.example',
  sign: (text) => createHash('sha256').update(text).digest(),
  keep: 2,
  months: 24,
  clock: () => Date.UTC(2024, 3, 10),
  signal: new AbortController().signal,
};
