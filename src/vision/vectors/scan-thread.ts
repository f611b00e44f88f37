/** The worker thread that holds the vectors of every model and scans them. */
import { GAMES, type Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import { serveCalls } from '../../threads.ts';
import { openScan, type VectorScan } from './scan.ts';

/** Vectors in memory that both threads share; `games` are places in `GAMES`. */
export type VectorPage = { versions: Float64Array; games: Uint8Array; vectors: Float32Array };

const scans = new Map<string, VectorScan>();

function scanOf(model: string): VectorScan {
  const scan = scans.get(model) ?? openScan();
  scans.set(model, scan);
  return scan;
}

const calls = {
  /** Adds the first `count` of a page; returns how many vectors the model has then, with those that are gone since. */
  add(model: string, { versions, games, vectors }: VectorPage, count: number): number {
    const scan = scanOf(model);
    for (let i = 0; i < count; i++)
      scan.add(versions[i]!, GAMES[games[i]!]!, vectors.subarray(i * VECTOR_LENGTH, (i + 1) * VECTOR_LENGTH));
    return scan.size();
  },
  remove(model: string, gone: readonly number[]): void {
    const versions = new Set(gone);
    scanOf(model).remove((version) => versions.has(version));
  },
  /** Removes all but these. */
  retain(model: string, kept: readonly number[]): void {
    const versions = new Set(kept);
    scanOf(model).remove((version) => !versions.has(version));
  },
  /** The versions of the `k` vectors that are probably nearest. */
  candidates: (model: string, query: Float32Array, k: number, game: Game | null) =>
    scanOf(model).candidates(query, k, game),
  drop: (model: string) => void scans.delete(model),
};
export type ScanCalls = typeof calls;

serveCalls(calls);
