import type { Db } from '../../src/db/client.ts';
import type { SearchIndex } from '../../src/search/index/search-index.ts';
import { rankText } from '../../src/search/query/rank-text.ts';
import { itemsPassing } from '../../src/search/tagged.ts';
import { aim } from '../access/access-aim.ts';
import { quantile } from '../http/http-load.ts';
import { type Cost, cpuMsOf, medianCosts } from './search-measure.ts';
import { searchQueries, tagPairs, tsQuery } from './search-queries.ts';

const ROUNDS = 3;
const SQL_ROUNDS = 1;

/**
 * Text queries one after the other in one process, and PostgreSQL's own weighted prefix search of the same words: all
 * of them needed, ranked by weight, the best 300.
 */
export async function measureText(db: Db, index: SearchIndex): Promise<void> {
  const { judged, typos, prefixes } = searchQueries(index);
  const run = (q: string) => rankText(index, q);
  for (const q of [...judged, ...prefixes]) run(q);
  const ofJudged = await medianCosts(judged, ROUNDS, run);
  const ofPrefixes = await medianCosts(prefixes, ROUNDS, run);
  const ofTypos = await medianCosts(typos, ROUNDS, run);
  say(`${judged.length} judged queries`, ofJudged);
  say(`${prefixes.length} two-letter prefixes`, ofPrefixes);
  say(`${typos.length} queries with typing errors`, ofTypos);
  slowest(judged, ofJudged);
  check('text p50', p(ofJudged, 0.5), 4);
  check('text p99, two-letter prefixes included', p([...ofJudged, ...ofPrefixes], 0.99), 25);
  check('typing errors p50', p(ofTypos, 0.5), 8);
  await makeTextSearch(db);
  for (const [name, queries, ours] of [
    ['judged queries', judged, ofJudged],
    ['two-letter prefixes', prefixes, ofPrefixes],
  ] as const) {
    const asked = queries.flatMap((q, i) => (tsQuery(q) === null ? [] : [{ words: tsQuery(q)!, cost: ours[i]! }]));
    const { costs: theirs, empty } = await backendCosts(db, asked, ({ words }) => [TEXT_SQL, [words]]);
    const ratio = compare(
      `PostgreSQL's text search, ${asked.length} ${name}`,
      theirs,
      asked.map(({ cost }) => cost),
    );
    console.log(
      `  ratio of p50s ${ratio[0]}, of p99s ${ratio[1]}, of all together ${ratio[2]} (ours / PostgreSQL); it finds nothing for ${empty}`,
    );
  }
}

const TEXT_SQL = `select item_id from bench_text, to_tsquery('simple', $1) q where words @@ q
  order by ts_rank(words, q) desc limit 300`;

async function makeTextSearch(db: Db): Promise<void> {
  await db.query(
    `create table if not exists bench_text as select i.id as item_id,
       setweight(to_tsvector('simple', concat_ws(' ', i.number, ltrim(split_part(i.number, '/', 1), '0'))), 'A')
       || setweight(to_tsvector('simple', concat_ws(' ', i.name, i.printed_name)), 'A')
       || setweight(to_tsvector('simple', concat_ws(' ', s.name, s.code, coalesce(i.year, s.year))), 'B')
       || setweight(to_tsvector('simple', concat_ws(' ', i.variation, i.rarity, i.language)), 'C')
       || setweight(to_tsvector('simple', concat_ws(' ', i.facts->>'artist', i.facts->>'team', i.game)), 'D') as words
     from items i join sets s on s.id = i.set_id`,
  );
  await db.query('create index if not exists bench_text_words on bench_text using gin (words)');
  await db.query('vacuum analyze bench_text');
}

/** Two tags that some item has, all their items in order, the first 300; in SQL the same, by the order of the ids. */
export async function measureTags(db: Db, index: SearchIndex): Promise<void> {
  const pairs = tagPairs(index);
  const links = index.tags.items.all.length;
  const run = (tags: string[]) => itemsPassing(index, { tags, character: null, game: null }, 300);
  for (const pair of pairs) run(pair);
  const ours = await medianCosts(pairs, ROUNDS, run);
  say(`${pairs.length} pairs of tags, ${links.toLocaleString('en')} links`, ours);
  check('two tags p50', p(ours, 0.5), 3);
  const { costs: theirs } = await backendCosts(db, pairs, (tags) => [TAGS_SQL, tags]);
  const ratio = compare('the same in SQL', theirs, ours);
  console.log(`  ratio of p50s ${ratio[0]}, of p99s ${ratio[1]}, of all together ${ratio[2]} (ours / SQL)`);
}

const tagged = (n: number) => `select l.item_id from item_tags l join tags t on t.id = l.tag_id
  where t.active and t.kind = split_part($${n}, ':', 1) and t.slug = split_part($${n}, ':', 2)`;
const TAGS_SQL = `select i.id from items i where i.id in (${tagged(1)}) and i.id in (${tagged(2)})
  and i.removed_at is null and i.image_url is not null order by i.id limit 300`;

/** What a statement for each task costs the database's process, and how many give no row. */
async function backendCosts<Task>(
  db: Db,
  tasks: readonly Task[],
  statement: (task: Task) => [sql: string, values: string[]],
): Promise<{ costs: Cost[]; empty: number }> {
  return db.session(async (session) => {
    const [{ pid }] = (await session.query('select pg_backend_pid() as pid')) as [{ pid: number }];
    const clock = () => cpuMsOf(pid) ?? performance.now();
    const empty = new Set<Task>();
    const run = async (task: Task) => {
      const rows = await session.query(...statement(task));
      if (rows.length === 0) empty.add(task);
    };
    for (const task of tasks.slice(0, 20)) await run(task);
    const costs = await medianCosts(tasks, SQL_ROUNDS, run, clock);
    return { costs, empty: empty.size };
  });
}

function compare(name: string, theirs: readonly Cost[], ours: readonly Cost[]): string[] {
  say(name, theirs);
  const sum = (costs: readonly Cost[]) => costs.reduce((all, { cpuMs }) => all + cpuMs, 0);
  const ratios = [p(ours, 0.5) / p(theirs, 0.5), p(ours, 0.99) / p(theirs, 0.99), sum(ours) / sum(theirs)];
  return ratios.map((ratio) => ratio.toFixed(2));
}

function slowest(queries: readonly string[], costs: readonly Cost[]): void {
  const worst = costs.map(({ cpuMs }, i) => ({ cpuMs, q: queries[i]! })).sort((a, b) => b.cpuMs - a.cpuMs);
  console.log(
    `  slowest: ${worst
      .slice(0, 5)
      .map(({ cpuMs, q }) => `${q} (${cpuMs.toFixed(0)} ms)`)
      .join(', ')}`,
  );
}

function say(name: string, costs: readonly Cost[]): void {
  const shown = [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${p(costs, share).toFixed(2)}`);
  const wall = quantile(
    costs.map(({ wallMs }) => wallMs),
    0.5,
  ).toFixed(2);
  console.log(`${name}: CPU ms ${shown.join(', ')}; on the clock p50 ${wall}`);
}

function p(costs: readonly Cost[], share: number): number {
  return quantile(
    costs.map(({ cpuMs }) => cpuMs),
    share,
  );
}

function check(name: string, ms: number, most: number): void {
  aim(name, `${ms.toFixed(2)} ms CPU`, `≤ ${most} ms`, ms <= most);
}
