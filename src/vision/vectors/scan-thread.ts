/** The worker thread that reads the vectors of every model, holds them and scans them. */
import type { ClientConfig } from 'pg';
import type { Game } from '../../catalog/games.ts';
import { openDb } from '../../db/client.ts';
import { serveCalls } from '../../threads.ts';
import { openScan, type VectorScan } from './scan.ts';
import { countVectors, readChanges, readVersions } from './stored-vectors.ts';

/** The vectors of a model with every change up to `version`. */
type Space = { scan: VectorScan; version: number };

/** Of the vectors here, as a share of those that exist: how many may be gone before they are looked for. */
const MOST_GONE = 0.1;

const spaces = new Map<string, Space>();

function spaceOf(model: string): Space {
  const space = spaces.get(model) ?? { scan: openScan(), version: 0 };
  spaces.set(model, space);
  return space;
}

const calls = {
  /**
   * Adds the vectors of every change since the last one read; returns how many there are in the database. What they
   * replaced stays here until it is removed, or until much is gone.
   */
  async readOn(connection: ClientConfig, model: string): Promise<number> {
    const space = spaceOf(model);
    const db = openDb({ connection, poolSize: 1 });
    try {
      await db.session((session) =>
        readChanges(session, model, space.version, (version, game, vector) => {
          if (vector !== null) space.scan.add(version, game, vector);
          space.version = version;
        }),
      );
      const size = (await countVectors(db)).get(model) ?? 0;
      if (space.scan.size() > (1 + MOST_GONE) * size) {
        const kept = new Set(await readVersions(db, model));
        space.scan.remove((version) => !kept.has(version));
      }
      return size;
    } finally {
      await db.close();
    }
  },
  /** Removes the vectors of these versions. */
  remove(model: string, gone: readonly number[]): void {
    const versions = new Set(gone);
    spaceOf(model).scan.remove((version) => versions.has(version));
  },
  /** The versions of the `k` vectors that are probably nearest. */
  candidates: (model: string, query: Float32Array, k: number, game: Game | null) =>
    spaceOf(model).scan.candidates(query, k, game),
};
export type ScanCalls = typeof calls;

serveCalls(calls);
