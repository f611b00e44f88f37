import type { Logger } from 'pino';
import type { Game } from '../catalog/games.ts';
import type { Db } from '../db/client.ts';
import { type Hit, openScan, type VectorScan } from './nearest-scan.ts';
import { readChanges, unitVector, VECTORS_CHANNEL } from './vectors.ts';

/** The vectors of the catalog by their models, as near to the database as its last NOTIFY. */
export type Nearest = {
  /**
   * The items whose vectors of `model` are nearest to `vector` (512 values, not all 0), of one game where it is given;
   * the best first, scores are cosines. Empty when there is no vector of this model. The first question loads them.
   */
  nearest(model: string, vector: ArrayLike<number>, k: number, game?: Game | null): Promise<Hit[]>;
  /** How many vectors of a model there are. */
  size(model: string): Promise<number>;
  /** Loads what there is, before somebody asks. */
  warm(models: readonly string[]): Promise<void>;
  /** Resolves when everything committed before the call can be found. */
  refresh(): Promise<void>;
};

type Space = { scan: VectorScan; version: number };

/** After a change, how long to wait for more of them: a job tells of itself after each batch. */
const SETTLE_MS = 200;

/** Opens the vectors of a database: nothing is loaded before the first question. */
export async function openNearest({ db, log }: { db: Db; log: Logger }): Promise<Nearest> {
  const spaces = new Map<string, Promise<Space>>();
  const due = new Map<string, NodeJS.Timeout>();
  const following = new Map<string, Promise<void>>();

  function spaceOf(model: string): Promise<Space> {
    const known = spaces.get(model);
    if (known !== undefined) return known;
    const loading = load(model);
    spaces.set(model, loading);
    // What could not be loaded is tried again at the next question.
    loading.catch(() => spaces.delete(model));
    return loading;
  }

  async function load(model: string): Promise<Space> {
    const began = performance.now();
    const space = { scan: openScan(), version: 0 };
    await readOn(model, space);
    log.info({ model, vectors: space.scan.size(), ms: Math.round(performance.now() - began) }, 'vectors loaded');
    return space;
  }

  async function readOn(model: string, space: Space): Promise<void> {
    await readChanges(db, model, { afterVersion: space.version }, ({ itemId, game, version, vector }) => {
      if (vector === null) space.scan.remove(itemId);
      else space.scan.put(itemId, game, vector);
      space.version = version;
    });
  }

  /** One reading at a time; what is told meanwhile is read after it. */
  function follow(model: string): Promise<void> {
    const loaded = spaces.get(model);
    if (loaded === undefined) return Promise.resolve();
    const before = following.get(model) ?? Promise.resolve();
    const next = before.then(async () => readOn(model, await loaded));
    const settled = next.catch((error: unknown) => log.error(error, 'new vectors cannot be read'));
    following.set(model, settled);
    return next;
  }

  await db.listen(VECTORS_CHANNEL, (told) => {
    // An empty text: the connection was lost for a while.
    for (const model of told === '' ? spaces.keys() : [told]) {
      clearTimeout(due.get(model));
      const timer = setTimeout(() => follow(model).catch(() => {}), SETTLE_MS);
      due.set(model, timer.unref());
    }
  });

  return {
    async nearest(model, vector, k, game = null) {
      const { scan } = await spaceOf(model);
      return scan.search(unitVector(vector), k, game);
    },
    size: async (model) => (await spaceOf(model)).scan.size(),
    warm: async (models) => void (await Promise.all(models.map(spaceOf))),
    refresh: async () => void (await Promise.all([...spaces.keys()].map(follow))),
  };
}
