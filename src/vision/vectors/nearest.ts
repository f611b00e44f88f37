import type { Logger } from 'pino';
import type { Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import type { Db } from '../../db/client.ts';
import { openThread, type Thread } from '../../threads.ts';
import { bestOf, dot, type VectorHit } from './best.ts';
import { quantize } from './scan.ts';
import type { ScanCalls, ScanChanges } from './scan-thread.ts';
import {
  countVectors,
  readChanges,
  readVectors,
  unitVector,
  VECTORS_CHANNEL,
  type VectorChange,
} from './stored-vectors.ts';

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

/** What the scan thread has of a model: every change up to `version`. */
type Space = { scan: Thread<ScanCalls>; version: number; size: number };

/** Changes that are read and handed to the thread at a time: 2 MB there. */
const PAGE = 4096;
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
      scan = openThread<ScanCalls>('vision/vectors/scan-thread', compiled);
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
    const space: Space = { scan: client, version: 0, size: 0 };
    await client.call('drop', model);
    await readOn(db, model, space);
    if (space.size > 0)
      log.info({ model, vectors: space.size, ms: Math.round(performance.now() - began) }, 'vectors loaded');
    return space;
  }

  /** One read at a time: changes that come meanwhile are read by the next. */
  function follow(model: string): Promise<void> {
    const reading = (reads.get(model) ?? Promise.resolve()).then(async () => {
      const loaded = spaces.get(model);
      if (loaded !== undefined && !isClosed) await readOn(db, model, await loaded);
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
      const quantized = new Int8Array(VECTOR_LENGTH);
      quantize(query, quantized, 0);
      const candidates = await readVectors(db, model, await space.scan.call('candidates', model, quantized, k, game));
      return bestOf(
        candidates.map(({ itemId, vector }) => ({ itemId, score: dot(query, vector, 0) })),
        k,
      );
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

/** Hands every change after the space's version to the scan thread. */
async function readOn(db: Db, model: string, space: Space): Promise<void> {
  await db.session(async (session) => {
    let page: VectorChange[];
    do {
      page = [];
      const rows = new Int8Array(PAGE * VECTOR_LENGTH);
      await readChanges(session, model, { afterVersion: space.version, limit: PAGE }, (change, vector) => {
        if (vector !== null) quantize(vector, rows, page.length * VECTOR_LENGTH);
        page.push(change);
      });
      if (page.length === 0) return;
      space.size = await space.scan.call('apply', model, changesOf(page, rows));
      space.version = page.at(-1)!.version;
    } while (page.length === PAGE);
  });
}

function changesOf(page: readonly VectorChange[], rows: Int8Array): ScanChanges {
  return {
    itemIds: page.map(({ itemId }) => itemId),
    games: page.map(({ game }) => game),
    isGone: page.map(({ isGone }) => isGone),
    rows,
  };
}
