/**
 * `node --import tsx bench/vision/vectors.ts <folder of card pictures> [vectors, 200000] [cache folder]`: descriptors of
 * seeded distortions of those pictures, written to a database and loaded by another process as after a restart; what
 * that finds is compared with an exact search, in all games and in a large, a medium and a small one. Aims for 200,000:
 * recall@10 of 1, p50 ≤ 8 ms, ≤ 160 MB, ready within 3 s; for a million p50 ≤ 40 ms. The cache folder keeps the
 * descriptors: making 200,000 takes some minutes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GAMES, type Game } from '../../src/catalog/games.ts';
import { DESCRIPTOR } from '../../src/vision/descriptor.ts';
import { dot } from '../../src/vision/vectors/best.ts';
import { writeVectors } from '../../src/vision/vectors/stored-vectors.ts';
import { compiledProgram } from '../compiled-program.ts';
import { benchDatabase } from '../http/http-database.ts';
import { distortedDescriptors } from './distorted.ts';
import type { ReaderReport, ReaderTask } from './vectors-reader.ts';

const [pictures, total = '200000', cache = tmpdir()] = process.argv.slice(2);
const COUNT = Number(total);
const CHUNK = 25_000;
const QUERIES = 300;
const K = 10;
const LENGTH = DESCRIPTOR.length;
/** Of the vectors, by game: three large ones, a small one. */
const GAME_SHARES: [Game, number][] = [
  ['mtg', 0.45],
  ['yugioh', 0.3],
  ['pokemon', 0.24],
  ['gundam', 0.01],
];

if (pictures === undefined) throw new Error('name the folder of card pictures');
const database = await benchDatabase();
try {
  const vectors = await allVectors(pictures);
  const queries = { count: QUERIES, seed: 999, cachePath: join(cache, `mintmark-descriptors-999-${QUERIES}.f32`) };
  const asked = await distortedDescriptors(pictures, queries);
  await fillItems(COUNT);
  await timed(`${COUNT} vectors written`, () => fill(vectors, 0, COUNT));
  const task: ReaderTask = {
    connection: database.connection,
    model: DESCRIPTOR.name,
    pictures,
    queries,
    games: [null, 'mtg', 'yugioh', 'gundam'],
  };
  report(await reader(task), vectors, asked, COUNT);
} finally {
  await database.stop();
}

async function allVectors(folder: string): Promise<Float32Array> {
  const vectors = new Float32Array(COUNT * LENGTH);
  for (let at = 0; at < COUNT; at += CHUNK) {
    const seed = 1 + at / CHUNK;
    const cachePath = join(cache, `mintmark-descriptors-${seed}-${CHUNK}.f32`);
    const chunk = await distortedDescriptors(folder, { count: CHUNK, seed, cachePath });
    vectors.set(chunk.subarray(0, Math.min(CHUNK, COUNT - at) * LENGTH), at * LENGTH);
  }
  return vectors;
}

function gameOf(i: number): Game {
  let rest = (i % 100) / 100;
  for (const [game, share] of GAME_SHARES) {
    if (rest < share) return game;
    rest -= share;
  }
  return GAME_SHARES[0]![0];
}

function idOf(i: number): string {
  const hex = i.toString(16).padStart(12, '0');
  return `00000000-0000-4000-8000-${hex}`;
}

async function fillItems(count: number): Promise<void> {
  const { db } = database;
  await db.query(
    `insert into sets (game, segment, name, code, identity) select game, 'bench', 'Bench', 'bench', game from unnest($1::text[]) game`,
    [GAMES],
  );
  for (let at = 0; at < count; at += 5000) {
    const rows = Array.from({ length: Math.min(5000, count - at) }, (_, i) => at + i);
    await db.query(
      `insert into items (id, game, set_id, number, name, language, stem, identity_key)
       select r.id, r.game, s.id, r.n::text, 'Card ' || r.n, 'English', r.n || '-card', r.n::text
       from unnest($1::uuid[], $2::text[], $3::int[]) r (id, game, n) join sets s on s.game = r.game`,
      [rows.map(idOf), rows.map(gameOf), rows],
    );
  }
}

async function fill(vectors: Float32Array, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, to - at) }, (_, i) => at + i);
    await writeVectors(
      database.db,
      DESCRIPTOR.name,
      rows.map((i) => ({ itemId: idOf(i), imageHash: null, vector: rowOf(vectors, i) })),
    );
  }
  await database.db.query('vacuum analyze item_vectors');
}

async function reader(task: ReaderTask): Promise<{ task: ReaderTask; report: ReaderReport }> {
  const child: ChildProcess = fork(await compiledProgram('vision/vectors-reader'));
  child.send(task);
  const [report] = (await once(child, 'message')) as [ReaderReport];
  await once(child, 'exit');
  return { task, report };
}

function report(
  { task, report }: { task: ReaderTask; report: ReaderReport },
  vectors: Float32Array,
  asked: Float32Array,
  count: number,
): void {
  const { restartMs, size, residentMb, rounds } = report;
  console.log(`${size} loaded in ${(restartMs / 1000).toFixed(1)} s, ${Math.round(residentMb)} MB`);
  for (const [i, game] of task.games.entries()) {
    const { found, sortedMs, sortedCpuMs } = rounds[i]!;
    const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(2);
    const recall = recallOf(found, vectors, asked, count, game);
    const wall = `p50 ${at(sortedMs, 0.5)} ms, p99 ${at(sortedMs, 0.99)} ms`;
    const cpu = `CPU p50 ${at(sortedCpuMs, 0.5)} ms, p99 ${at(sortedCpuMs, 0.99)} ms`;
    console.log(`  ${game ?? 'every game'}: recall@10 ${recall.toFixed(4)}, ${wall} (${cpu})`);
  }
}

/** Share of the ten exactly nearest that were found. */
function recallOf(
  found: readonly string[][],
  vectors: Float32Array,
  asked: Float32Array,
  count: number,
  game: Game | null,
): number {
  let right = 0;
  let wanted = 0;
  for (let q = 0; q < QUERIES; q++) {
    const query = rowOf(asked, q);
    const scores = new Float64Array(count).fill(-2);
    for (let i = 0; i < count; i++)
      if (game === null || gameOf(i) === game) scores[i] = dot(query, vectors, i * LENGTH);
    const tenth = Float64Array.from(scores).sort().at(-K)!;
    const truth = new Set<string>();
    for (let i = 0; i < count; i++) if (scores[i]! >= tenth) truth.add(idOf(i));
    wanted += Math.min(K, truth.size);
    right += Math.min(K, found[q]!.filter((id) => truth.has(id)).length);
  }
  return right / wanted;
}

function rowOf(vectors: Float32Array, i: number): Float32Array {
  return vectors.subarray(i * LENGTH, (i + 1) * LENGTH);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${what}: ${((performance.now() - began) / 1000).toFixed(1)} s, CPU ${((user + system) / 1e6).toFixed(1)} s`,
  );
}
