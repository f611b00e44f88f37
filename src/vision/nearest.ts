import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Game } from '../catalog/games.ts';
import type { Db } from '../db/client.ts';
import { buildIndex, MOST_LOOSE } from './nearest-build.ts';
import { newestFolder } from './nearest-file.ts';
import type { Hit } from './nearest-scan.ts';
import { loadSpace, type Space } from './nearest-space.ts';
import { countVectors, unitVector, VECTORS_CHANNEL } from './vectors.ts';

/** The vectors of the catalog by their models, as near to the database as its last NOTIFY. */
export type Nearest = {
  /**
   * The items whose vectors of `model` are nearest to `vector` (512 values, not all 0), of one game where it is given;
   * the best first, scores are cosines. Empty when there is no vector of this model. The first question loads them.
   */
  nearest(model: string, vector: ArrayLike<number>, k: number, game?: Game | null): Promise<Hit[]>;
  /** How many vectors of a model there are. */
  size(model: string): Promise<number>;
  /** How many of them are found through the index on disk. */
  indexed(model: string): Promise<number>;
  /** Loads what there is, before somebody asks. */
  warm(): Promise<void>;
  /** Resolves when everything committed before the call can be found. */
  refresh(): Promise<void>;
  /** Ends what is being built, and lets go of files. */
  close(): Promise<void>;
};

export type NearestWorld = { db: Db; log: Logger; config: { dataDir: string } };

export type NearestLimits = {
  /** Vectors outside the index on disk, before they are added to it. */
  loose: number;
  /** How long nothing has changed before that, unless there are more of them than in the index. */
  quietMs: number;
};

const LIMITS: NearestLimits = { loose: MOST_LOOSE, quietMs: 30_000 };
/** After a change, how long to wait for more of them: a job tells of itself after each batch. */
const SETTLE_MS = 200;

/** Opens the vectors of a database: nothing is loaded before the first question. */
export async function openNearest(world: NearestWorld, limits = LIMITS): Promise<Nearest> {
  const { db, log, config } = world;
  const { dataDir } = config;
  const spaces = new Map<string, Promise<Space>>();
  const followed = new Map<string, Promise<void>>();
  const due = new Map<string, NodeJS.Timeout>();
  const builds = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function spaceOf(model: string): Promise<Space> {
    const known = spaces.get(model);
    if (known !== undefined) return known;
    const loading = load(model);
    spaces.set(model, loading);
    // What could not be loaded is tried again at the next question.
    loading.then(
      () => keepIndexed(model),
      () => spaces.delete(model),
    );
    return loading;
  }

  async function load(model: string): Promise<Space> {
    const began = performance.now();
    const space = await loadSpace(db, { model, dataDir });
    const took = { vectors: space.size(), loose: space.loose(), ms: Math.round(performance.now() - began) };
    if (space.size() > 0) log.info({ model, ...took }, 'vectors loaded');
    return space;
  }

  /** One reading at a time; what is told meanwhile is read after it. */
  function follow(model: string): Promise<void> {
    const before = followed.get(model) ?? Promise.resolve();
    const reading = before.then(() => readOn(model));
    const settled = reading.catch((error: unknown) => {
      if (!closing.signal.aborted) log.error(error, 'new vectors cannot be read');
    });
    followed.set(model, settled);
    return reading;
  }

  async function readOn(model: string): Promise<void> {
    const loaded = spaces.get(model);
    if (loaded === undefined || closing.signal.aborted) return;
    const space = await loaded;
    const newest = await newestFolder(dataDir, model);
    if (newest === null || newest === space.folder()) await space.readOn(db);
    else {
      spaces.set(model, Promise.resolve(await load(model)));
      space.close();
    }
    keepIndexed(model);
  }

  function keepIndexed(model: string): void {
    if (builds.has(model)) return;
    const build = buildWhenDue(model)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error(error, 'the index of vectors cannot be built');
      })
      .finally(() => builds.delete(model));
    builds.set(model, build);
  }

  async function buildWhenDue(model: string): Promise<void> {
    while (!closing.signal.aborted) {
      const { loose, size, version } = await stateOf(model);
      if (loose <= limits.loose) return;
      if (2 * loose <= size) {
        await sleep(limits.quietMs, undefined, { ref: false, signal: closing.signal });
        if ((await stateOf(model)).version !== version) continue;
      }
      const began = performance.now();
      if (!(await buildIndex(db, { model, dataDir, signal: closing.signal }))) return;
      log.info({ model, vectors: size, ms: Math.round(performance.now() - began) }, 'index of vectors built');
      await follow(model);
    }
  }

  async function stateOf(model: string): Promise<{ loose: number; size: number; version: number }> {
    const space = await spaceOf(model);
    return { loose: space.loose(), size: space.size(), version: space.version() };
  }

  await db.listen(VECTORS_CHANNEL, (told) => {
    // An empty text: the connection was lost for a while.
    for (const model of told === '' ? spaces.keys() : [told]) {
      // Not put off by what comes meanwhile: a job writes for hours.
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
      return (await spaceOf(model)).search(query, k, game);
    },
    size: async (model) => (await spaceOf(model)).size(),
    async indexed(model) {
      const space = await spaceOf(model);
      return space.size() - space.loose();
    },
    warm: async () => void (await Promise.all([...(await countVectors(db)).keys()].map(spaceOf))),
    refresh: async () => void (await Promise.all([...spaces.keys()].map(follow))),
    async close() {
      closing.abort();
      for (const timer of due.values()) clearTimeout(timer);
      await Promise.all([...builds.values(), ...followed.values()]);
      for (const loaded of spaces.values())
        await loaded.then(
          ({ close }) => close(),
          () => {},
        );
    },
  };
}
