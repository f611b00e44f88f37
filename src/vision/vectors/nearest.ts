import type { Logger } from 'pino';
import type { Game } from '../../catalog/games.ts';
import type { Db } from '../../db/client.ts';
import { openThread, type Thread } from '../../threads.ts';
import { bestOf, dot, type VectorHit } from './best.ts';
import type { ScanCalls } from './scan-thread.ts';
import { countVectors, readVectors, type StoredVector, unitVector, VECTORS_CHANNEL } from './stored-vectors.ts';

/** The vectors of the catalog by their models, as of the last NOTIFY of the database. */
export type Nearest = {
  /**
   * The items whose vectors of `model` are nearest to `vector` (512 values, not all 0), of one game where it is given,
   * best first; scores are cosines. Empty when the model has no vectors. The first call loads them.
   * @throws RangeError for a vector of another length, without direction, or with NaN.
   */
  nearest(model: string, vector: ArrayLike<number>, k: number, game?: Game | null): Promise<VectorHit[]>;
  /** How many vectors a model has. */
  size(model: string): Promise<number>;
  /** Loads the vectors that exist at the first call, before any search; resolves once they are in memory. */
  warm(): Promise<void>;
  /** Resolves when everything committed before the call can be found. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** A model in the scan thread; `size` is how many vectors it had when its changes were last read. */
type Space = { scan: Thread<ScanCalls>; size: number };

/** Small objects of the thread keep large buffers of the socket: with more of them, loading takes 30 MB more. */
const YOUNG_MB = 2;
/** How long after a notification the changes are read: a job notifies after each of its batches. */
const SETTLE_MS = 200;

type NearestOptions = {
  db: Db;
  log: Logger;
  /** See `openThread`. */
  compiled?: URL;
};

/** Opens the vectors of a database. Nothing is loaded, and no thread runs, before the first query. */
export async function openNearest({ db, log, compiled }: NearestOptions): Promise<Nearest> {
  let scan: Thread<ScanCalls> | null = null;
  const spaces = new Map<string, Promise<Space>>();
  const reads = new Map<string, Promise<void>>();
  const due = new Map<string, NodeJS.Timeout>();
  let isClosed = false;
  let warming: Promise<void> | undefined;

  function spaceOf(model: string): Promise<Space> {
    if (scan === null || !scan.isAlive()) {
      scan = openThread<ScanCalls>('vision/vectors/scan-thread', compiled, YOUNG_MB);
      spaces.clear();
    }
    const known = spaces.get(model);
    if (known !== undefined) return known;
    const loading = load(model, scan);
    spaces.set(model, loading);
    // A load that failed is tried again by the next query.
    loading.catch(() => spaces.get(model) === loading && spaces.delete(model));
    return loading;
  }

  async function load(model: string, client: Thread<ScanCalls>): Promise<Space> {
    const began = performance.now();
    const size = await client.call('readOn', db.connection, model);
    if (size > 0) log.info({ model, vectors: size, ms: Math.round(performance.now() - began) }, 'vectors loaded');
    return { scan: client, size };
  }

  /** One read at a time: changes that come meanwhile are read by the next. */
  function follow(model: string): Promise<void> {
    const reading = (reads.get(model) ?? Promise.resolve()).then(async () => {
      const space = await spaces.get(model);
      if (space !== undefined && !isClosed) space.size = await space.scan.call('readOn', db.connection, model);
    });
    const settled = reading.catch((error: unknown) => {
      if (!isClosed) log.error(error, 'new vectors cannot be read');
    });
    reads.set(model, settled);
    return reading;
  }

  await db.listen(VECTORS_CHANNEL, (notified) => {
    // An empty payload: the connection was lost for a while.
    for (const model of notified === '' ? spaces.keys() : [notified]) {
      if (due.has(model)) continue;
      const timer = setTimeout(() => {
        due.delete(model);
        follow(model).catch(() => {});
      }, SETTLE_MS);
      due.set(model, timer.unref());
    }
  });

  return {
    async nearest(model, vector, k, game = null) {
      const query = unitVector(vector);
      const space = await spaceOf(model);
      for (;;) {
        const versions = await space.scan.call('candidates', model, query, k, game);
        const found = await readVectors(db, model, versions);
        if (found.length === versions.length) return bestOf(found.map(scoredBy(query)), k);
        // Some were replaced or dropped since they were loaded: without them, others are among the nearest.
        const known = new Set(found.map(({ version }) => version));
        await space.scan.call(
          'remove',
          model,
          versions.filter((version) => !known.has(version)),
        );
      }
    },
    size: async (model) => (await spaceOf(model)).size,
    warm() {
      warming ??= countVectors(db)
        .then((counts) => Promise.all([...counts.keys()].map(spaceOf)))
        .then(() => {})
        .catch((error: unknown) => {
          warming = undefined;
          throw error;
        });
      return warming;
    },
    refresh: async () => void (await Promise.all([...spaces.keys()].map(follow))),
    async close() {
      isClosed = true;
      for (const timer of due.values()) clearTimeout(timer);
      await Promise.allSettled([...spaces.values(), ...reads.values()]);
      await scan?.close();
    },
  };
}

function scoredBy(query: Float32Array) {
  return ({ itemId, vector }: StoredVector): VectorHit => ({ itemId, score: dot(query, vector, 0) });
}
