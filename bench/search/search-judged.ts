/**
 * `node --import tsx bench/search/search-judged.ts [--half tuning|held-out] [--fails]`: asks the text search the judged queries
 * (test/support/judged/judged.ndjson) in the database of DATABASE_URL or MINTMARK_DATA, which holds the imported catalogs, and
 * prints by category and in all: queries, MRR, and how often a right answer is the first or among the first five hits.
 * Aims on the held-out half (on the tuning half where only that is asked for): first ≥ 0.90 in all and ≥ 0.80 in every
 * category, among five ≥ 0.97 in all. `--fails` lists the queries without a right first hit, of the held-out half only
 * where that is asked for by name. Ends with 1 when an aim is missed.
 */
import { parseArgs } from 'node:util';
import { withWorld } from '../../src/commands/world.ts';
import type { Db } from '../../src/db/client.ts';
import { loadIndex } from '../../src/search/index/load-index.ts';
import { rankText } from '../../src/search/query/rank-text.ts';
import {
  CATEGORIES,
  HALVES,
  type Half,
  halfOf,
  isAnswer,
  type JudgedItem,
  type JudgedQuery,
  readJudged,
} from '../../test/support/judged/judged-set.ts';
import { aim } from '../access/access-aim.ts';

const HITS = 12;
const LEAST_FIRST = 0.9;
const LEAST_FIRST_BY_CATEGORY = 0.8;
const LEAST_AMONG_FIVE = 0.97;

type Asked = JudgedQuery & {
  hits: JudgedItem[];
  /** Place of the first right answer, from 1; null when none is among the hits. */
  rank: number | null;
};

const { half, fails } = readOptions();
await withWorld(({ db }) => judge(db));

function readOptions(): { half: Half | null; fails: boolean } {
  const { half, fails = false } = parseArgs({
    options: { half: { type: 'string' }, fails: { type: 'boolean' } },
  }).values;
  if (half === undefined) return { half: null, fails };
  const known = HALVES.find((one) => one === half);
  if (known !== undefined) return { half: known, fails };
  console.error('usage: node --import tsx bench/search/search-judged.ts [--half tuning|held-out] [--fails]');
  process.exit(2);
}

async function judge(db: Db): Promise<void> {
  const queries = readJudged();
  const missing = await missingSets(db, queries);
  if (missing.length > 0) {
    console.error(`${missing.length} sets of the judged queries are not in this database, ${missing[0]} for one.`);
    console.error('They need the real catalogs: see mintmark import catalog --help.');
    process.exitCode = 2;
    return;
  }
  const asked = await ask(db, queries);
  for (const shown of half === null ? HALVES : [half]) report(shown, ofHalf(asked, shown));
  checkAims(half ?? 'held-out', ofHalf(asked, half ?? 'held-out'));
  if (fails) for (const one of ofHalf(asked, half ?? 'tuning').filter(({ rank }) => rank !== 1)) logFailure(one);
}

async function missingSets(db: Db, queries: readonly JudgedQuery[]): Promise<string[]> {
  const wanted = queries.flatMap(({ answers }) => answers.flatMap(({ set }) => set ?? []));
  const rows = await db.query<{ segment: string }>(
    'select distinct segment from unnest($1::text[]) segment where segment not in (select segment from sets)',
    [wanted],
  );
  return rows.map(({ segment }) => segment);
}

async function ask(db: Db, queries: readonly JudgedQuery[]): Promise<Asked[]> {
  const index = await loadIndex(db);
  const found = queries.map(({ q }) => rankText(index, q).slice(0, HITS).map(index.idOf));
  const items = await readItems(db, found.flat());
  return queries.map((query, i) => {
    const hits = found[i]!.map((id) => items.get(id)!);
    const place = hits.findIndex((hit) => query.answers.some((answer) => isAnswer(hit, answer)));
    return { ...query, hits, rank: place === -1 ? null : place + 1 };
  });
}

async function readItems(db: Db, ids: readonly string[]): Promise<Map<string, JudgedItem>> {
  const rows = await db.query<JudgedItem & { id: string }>(
    `select i.id, i.game, s.segment as set, i.number, i.name, i.printed_name, i.variation, i.language
       from items i join sets s on s.id = i.set_id where i.id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function ofHalf(asked: readonly Asked[], wanted: Half): Asked[] {
  return asked.filter(({ q }) => halfOf(q) === wanted);
}

function report(shown: Half, asked: readonly Asked[]): void {
  console.log(`\n${shown.padEnd(16)} queries    MRR     @1     @5`);
  for (const category of CATEGORIES) row(category, ofCategory(asked, category));
  row('in all', asked);
}

function row(name: string, asked: readonly Asked[]): void {
  const mrr = asked.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / rank), 0) / asked.length;
  const figures = [mrr, within(asked, 1), within(asked, 5)].map((share) => share.toFixed(3).padStart(7)).join('');
  console.log(`${name.padEnd(16)} ${String(asked.length).padStart(7)}${figures}`);
}

function checkAims(judged: Half, asked: readonly Asked[]): void {
  console.log('');
  const check = (name: string, share: number, least: number) =>
    aim(`${judged} ${name}`, share.toFixed(3), `≥ ${least}`, share >= least);
  check('@1 in all', within(asked, 1), LEAST_FIRST);
  for (const category of CATEGORIES) {
    check(`@1 ${category}`, within(ofCategory(asked, category), 1), LEAST_FIRST_BY_CATEGORY);
  }
  check('@5 in all', within(asked, 5), LEAST_AMONG_FIVE);
}

function ofCategory(asked: readonly Asked[], wanted: JudgedQuery['category']): Asked[] {
  return asked.filter(({ category }) => category === wanted);
}

/** Share of the queries with a right answer among the first hits. */
function within(asked: readonly Asked[], places: number): number {
  return asked.filter(({ rank }) => rank !== null && rank <= places).length / asked.length;
}

function logFailure({ q, category, hits, rank }: Asked): void {
  console.log(`\n${q}  (${category}; first right answer: ${rank ?? `not among ${HITS}`})`);
  for (const hit of hits.slice(0, 3)) {
    const { game, set, number, name, printed_name, variation, language } = hit;
    console.log(
      `  ${[game, set, number, name, printed_name, variation, language].filter((one) => one !== null).join(' · ')}`,
    );
  }
}
