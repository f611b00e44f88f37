/** The worker thread that holds the vectors of every model and scans them. Messages are answered in their order. */
import { parentPort } from 'node:worker_threads';
import type { Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import { openScan, type VectorScan } from './scan.ts';

/** Changes in their order, with all quantized vectors in one array; an item whose vector is gone has zeros there. */
export type ScanChanges = { itemIds: string[]; games: Game[]; isGone: boolean[]; rows: Int8Array };
export type ScanRequest =
  | { kind: 'apply'; model: string; changes: ScanChanges }
  | { kind: 'candidates'; model: string; query: Int8Array; k: number; game: Game | null }
  | { kind: 'drop'; model: string };
/** How many vectors the model now has, or the candidates. */
export type ScanAnswer = { size: number; itemIds: string[] };

const scans = new Map<string, VectorScan>();

parentPort!.on('message', (request: ScanRequest) => {
  const scan = scans.get(request.model) ?? openScan();
  scans.set(request.model, scan);
  let itemIds: string[] = [];
  if (request.kind === 'apply') apply(scan, request.changes);
  else if (request.kind === 'candidates') itemIds = scan.candidates(request.query, request.k, request.game);
  else scans.delete(request.model);
  parentPort!.postMessage({ size: scan.size(), itemIds } satisfies ScanAnswer);
});

function apply(scan: VectorScan, { itemIds, games, isGone, rows }: ScanChanges): void {
  for (const [i, itemId] of itemIds.entries()) {
    if (isGone[i]) scan.remove(itemId);
    else scan.put(itemId, games[i]!, rows.subarray(i * VECTOR_LENGTH, (i + 1) * VECTOR_LENGTH));
  }
}
