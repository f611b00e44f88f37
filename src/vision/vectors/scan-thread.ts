/** The worker thread that holds the vectors of every model and scans them. */
import type { Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import { serveCalls } from '../../threads.ts';
import { openScan, type VectorScan } from './scan.ts';

/** Changes in their order, with all quantized vectors in one array; an item whose vector is gone has zeros there. */
export type ScanChanges = { itemIds: string[]; games: Game[]; isGone: boolean[]; rows: Int8Array };

const scans = new Map<string, VectorScan>();

function scanOf(model: string): VectorScan {
  const scan = scans.get(model) ?? openScan();
  scans.set(model, scan);
  return scan;
}

const calls = {
  /** How many vectors the model has after the changes. */
  apply(model: string, { itemIds, games, isGone, rows }: ScanChanges): number {
    const scan = scanOf(model);
    for (const [i, itemId] of itemIds.entries()) {
      if (isGone[i]) scan.remove(itemId);
      else scan.put(itemId, games[i]!, rows.subarray(i * VECTOR_LENGTH, (i + 1) * VECTOR_LENGTH));
    }
    return scan.size();
  },
  /** The ids of the `k` items that are probably nearest. */
  candidates: (model: string, query: Int8Array, k: number, game: Game | null) =>
    scanOf(model).candidates(query, k, game),
  drop: (model: string) => void scans.delete(model),
};
export type ScanCalls = typeof calls;

serveCalls(calls);
