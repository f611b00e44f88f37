import { GAMES, type Game } from '../catalog/games.ts';
import type { Db, Session } from '../db/client.ts';
import { dropGeneration, type Generation, newestGeneration } from './nearest-file.ts';
import { type Graph, openGraph } from './nearest-graph.ts';
import { type RoughScan, scanRoughly } from './nearest-rough.ts';
import { dot, type Hit, openBest, openScan } from './nearest-scan.ts';
import { readChanges, readHeads } from './vectors.ts';

/** The vectors of one model as of `version`: an index on disk, where there is one, and in memory what changed since. */
export type Space = {
  size(): number;
  /** Vectors that are not in the index on disk: each of them is compared at every question. */
  loose(): number;
  /** Of the last change that is in it. */
  version(): number;
  /** Of the index on disk; null without one. */
  folder(): string | null;
  search(query: Float32Array, k: number, game: Game | null): Hit[];
  /** Takes over what changed since. */
  readOn(db: Db): Promise<void>;
  close(): void;
};

const PAGE = 2000;
/** Candidates that are compared exactly. */
const LEAST_RESCORED = 32;
/** The graph is asked for more where a game is few of them, up to so many. */
const MOST_ASKED = 8192;
/** So many vectors of a game are rather compared one by one: from there on, the graph need not be asked for many more. */
const MOST_OF_SCAN = 65_536;

/** Loads a model's vectors. An index on disk that is not of this database's vectors is deleted and done without. */
export async function loadSpace(db: Db, { model, dataDir }: { model: string; dataDir: string }): Promise<Space> {
  const graph = await checkedGraph(db, model, dataDir);
  const space = spaceOf(model, graph);
  try {
    await space.readOn(db);
  } catch (error) {
    space.close();
    throw error;
  }
  return space;
}

/** A graph with the game of each slot (0 for none, else 1 and up by GAMES), and by game how many and a scan of the few. */
type Base = Graph & {
  generation: Generation;
  games: Uint8Array;
  counts: Uint32Array;
  scans: (RoughScan | null)[];
  slotOf: Map<string, number>;
};

async function checkedGraph(db: Db, model: string, dataDir: string): Promise<Base | null> {
  const generation = await newestGeneration(dataDir, model);
  if (generation === null) return null;
  const graph = openGraph(generation.folder);
  const games = new Uint8Array(graph.itemIds.length);
  const slotOf = new Map<string, number>();
  for (const [slot, id] of graph.itemIds.entries()) if (id !== null) slotOf.set(id, slot);
  let same = 0;
  let changed = 0;
  let isOurs = true;
  await db.session((session) =>
    readHeads(session, model, ({ itemId, game, version, digest }) => {
      const slot = slotOf.get(itemId);
      const isSame = slot !== undefined && graph.digestOf(slot) === digest;
      if (isSame) {
        games[slot] = 1 + GAMES.indexOf(game);
        same++;
      } else if (version > generation.version) changed += slot === undefined ? 0 : 1;
      else if (digest !== null || slot !== undefined) isOurs = false;
    }),
  );
  const counts = new Uint32Array(1 + GAMES.length);
  for (const game of games) counts[game]!++;
  if (isOurs && same + changed === slotOf.size) {
    const scans = await scansOf(graph, games, counts);
    return { ...graph, generation, games, counts, scans, slotOf };
  }
  graph.close();
  await dropGeneration(generation);
  return null;
}

function spaceOf(model: string, base: Base | null): Space {
  const scan = openScan();
  let version = base?.generation.version ?? 0;
  const inBase = () => (base === null ? 0 : base.slotOf.size);

  function forgetInBase(itemId: string): void {
    const slot = base?.slotOf.get(itemId);
    if (slot === undefined) return;
    base!.slotOf.delete(itemId);
    base!.counts[base!.games[slot]!]!--;
    base!.games[slot] = 0;
  }

  async function readPage(session: Session): Promise<number> {
    return readChanges(session, model, { afterVersion: version, limit: PAGE }, (change) => {
      forgetInBase(change.itemId);
      if (change.vector === null) scan.remove(change.itemId);
      else scan.put(change.itemId, change.game, change.vector);
      version = change.version;
    });
  }

  return {
    size: () => inBase() + scan.size(),
    loose: () => scan.size(),
    version: () => version,
    folder: () => base?.generation.folder ?? null,
    search(query, k, game) {
      const loose = scan.search(query, k, game);
      if (base === null || inBase() === 0) return loose;
      const best = openBest(k);
      for (const { itemId, score } of loose) best.offer(itemId, score);
      for (const slot of candidates(base, query, k, game))
        best.offer(base.itemIds[slot]!, dot(query, base.vectorOf(slot), 0));
      return best.hits;
    },
    readOn: (db) =>
      db.session(async (session) => {
        while ((await readPage(session)) === PAGE);
      }),
    close: () => base?.close(),
  };
}

/** Slots that are compared exactly: those that are near, enough of them to have `k` of the game. */
function candidates(base: Base, query: Float32Array, k: number, game: Game | null): number[] {
  const { games, counts, scans, slotOf } = base;
  const wanted = game === null ? 0 : 1 + GAMES.indexOf(game);
  const all = wanted === 0 ? slotOf.size : counts[wanted]!;
  if (all === 0) return [];
  const isWanted = (slot: number) => (wanted === 0 ? games[slot] !== 0 : games[slot] === wanted);
  const scan = wanted === 0 ? null : scans[wanted]!;
  const { search, size } = scan ?? { search: base.search, size: games.length };
  let count = Math.ceil(Math.max(LEAST_RESCORED, 2 * k) * (scan === null ? slotOf.size / all : 1));
  while (true) {
    const asked = Math.min(count, size, MOST_ASKED);
    const found = search(query, asked).filter(isWanted);
    if (found.length >= Math.min(all, k) || asked < count || asked === size) return found;
    count *= 4;
  }
}

/** By game; null where the graph is asked. */
async function scansOf(graph: Graph, games: Uint8Array, counts: Uint32Array): Promise<(RoughScan | null)[]> {
  const slots = Array.from(counts, (count, game) =>
    game > 0 && count <= MOST_OF_SCAN ? new Uint32Array(count) : null,
  );
  const filled = new Uint32Array(counts.length);
  for (const [slot, game] of games.entries()) if (slots[game]) slots[game][filled[game]!++] = slot;
  const scans: (RoughScan | null)[] = [];
  for (const of of slots) scans.push(of && (await scanRoughly(of, graph.vectorOf)));
  return scans;
}
