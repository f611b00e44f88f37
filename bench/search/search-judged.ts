/**
 * `node --import tsx bench/search/search-judged.ts [--half tuning|held-out] [--fails]`: runs the text search with the judged queries
 * (test/support/judged/judged.ndjson) in the database of DATABASE_URL or MINTMARK_DATA, which has the imported catalogs, and
 * prints by category and in all: queries, MRR, and how often a right answer is the first or among the first five hits.
 * Aims on the held-out half (on the tuning half where only that is requested): first ≥ 0.90 in all and ≥ 0.80 in every
 * category, among five ≥ 0.97 in all. `--fails` lists the queries without a right first hit, of the held-out half only
 * where that is requested by name. Ends with 1 when an aim is missed.
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
  type JudgedQuery,
  readJudged,
} from '../../test/support/judged/judged-set.ts';
import { aim } from '../access/access-aim.ts';
import { HITS, type JudgedHits, judgedHits, missingSets, within } from './judged-hits.ts';

const LEAST_FIRST = 0.9;
const LEAST_FIRST_BY_CATEGORY = 0.8;
const LEAST_AMONG_FIVE = 0.97;

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
  const judged = await search(db, queries);
  for (const shown of half === null ? HALVES : [half]) report(shown, ofHalf(judged, shown));
  checkAims(half ?? 'held-out', ofHalf(judged, half ?? 'held-out'));
  if (fails) for (const one of ofHalf(judged, half ?? 'tuning').filter(({ rank }) => rank !== 1)) logFailure(one);
}

async function search(db: Db, queries: readonly JudgedQuery[]): Promise<JudgedHits[]> {
  const index = await loadIndex(db);
  return judgedHits(
    db,
    queries,
    queries.map(({ q }) => rankText(index, q).slice(0, HITS).map(index.idOf)),
  );
}

function ofHalf(judged: readonly JudgedHits[], wanted: Half): JudgedHits[] {
  return judged.filter(({ q }) => halfOf(q) === wanted);
}

function report(shown: Half, judged: readonly JudgedHits[]): void {
  console.log(`\n${shown.padEnd(16)} queries    MRR     @1     @5`);
  for (const category of CATEGORIES) row(category, ofCategory(judged, category));
  row('in all', judged);
}

function row(name: string, judged: readonly JudgedHits[]): void {
  const mrr = judged.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / rank), 0) / judged.length;
  const figures = [mrr, within(judged, 1), within(judged, 5)].map((share) => share.toFixed(3).padStart(7)).join('');
  console.log(`${name.padEnd(16)} ${String(judged.length).padStart(7)}${figures}`);
}

function checkAims(half: Half, judged: readonly JudgedHits[]): void {
  console.log('');
  const check = (name: string, share: number, least: number) =>
    aim(`${half} ${name}`, share.toFixed(3), `≥ ${least}`, share >= least);
  check('@1 in all', within(judged, 1), LEAST_FIRST);
  for (const category of CATEGORIES) {
    check(`@1 ${category}`, within(ofCategory(judged, category), 1), LEAST_FIRST_BY_CATEGORY);
  }
  check('@5 in all', within(judged, 5), LEAST_AMONG_FIVE);
}

function ofCategory(judged: readonly JudgedHits[], wanted: JudgedQuery['category']): JudgedHits[] {
  return judged.filter(({ category }) => category === wanted);
}

function logFailure({ q, category, hits, rank }: JudgedHits): void {
  console.log(`\n${q}  (${category}; first right answer: ${rank ?? `not among ${HITS}`})`);
  for (const hit of hits.slice(0, 3)) {
    const { game, set, number, name, printed_name, variation, language } = hit;
    console.log(
      `  ${[game, set, number, name, printed_name, variation, language].filter((one) => one !== null).join(' · ')}`,
    );
  }
}
