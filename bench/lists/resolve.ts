/**
 * `node --import tsx bench/lists/resolve.ts [titles]`: titles identified a second and core, over the catalog in
 * DATABASE_URL or MINTMARK_DATA. Titles are made of random cards, worded as listings are; a third of them lacks its number
 * or its set, or has a word of another card, so that candidates are looked for. Compared with reading the same titles alone.
 * Aim: at least 2,000 a second and core.
 */
import { parseArgs } from 'node:util';
import { withWorld } from '../../src/commands/world.ts';
import { uniformOf } from '../../src/lib/seeded.ts';
import { identifyTitle } from '../../src/sales/match/identify-title.ts';
import { buildMatchIndex, type MatchItem } from '../../src/sales/match/match-index.ts';
import { readTitle } from '../../src/sales/match/read-title.ts';
import { catalogPages } from '../../src/sales/titles.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const count = Number(positionals[0] ?? 20_000);
const GRADES = ['PSA 10', 'PSA 9', 'BGS 9.5', 'CGC 10', 'NM', ''];
const AIM = 2000;

const random = uniformOf('titles of listings');
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** A listing of a card; `flaw`: 0 for none, else what it lacks or has too much. */
function listing(item: MatchItem, flaw: number): string {
  const { game, setName, number, name, language, variation, year } = item;
  const words = [
    year ?? '',
    game === 'sports' ? '' : game,
    language === 'English' ? '' : language,
    flaw === 1 ? '' : setName,
    name,
    variation ?? '',
    flaw === 2 || number === null ? '' : `#${number}`,
    flaw === 3 ? 'Reverse Holo' : '',
    pick(GRADES),
  ];
  return words.filter((word) => word !== '').join(' ');
}

function cpuSecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

await withWorld(async ({ db }) => {
  const items: MatchItem[] = [];
  await db.session(async (sql) => {
    for await (const page of catalogPages(sql)) items.push(...page);
  });
  if (items.length === 0) throw new Error('the catalog is empty: DATABASE_URL or MINTMARK_DATA names one with items');
  let index = buildMatchIndex([]);
  const building = cpuSecondsOf(() => {
    index = buildMatchIndex(items);
  });
  const titles = Array.from({ length: count }, (_, at) => listing(pick(items), at % 9 < 6 ? 0 : (at % 9) - 5));
  for (const title of titles.slice(0, 2000)) identifyTitle(title, null, index);
  const rates: number[] = [];
  const tally = { matched: 0, candidates: 0 };
  for (let round = 0; round < 3; round++) {
    const reading = cpuSecondsOf(() => titles.forEach((title) => void readTitle(title)));
    const identifying = cpuSecondsOf(() => {
      for (const title of titles) {
        const { itemId, candidates } = identifyTitle(title, null, index);
        if (itemId !== null) tally.matched++;
        if (candidates.length > 0) tally.candidates++;
      }
    });
    rates.push(count / identifying);
    const ratio = (identifying / reading).toFixed(2);
    console.log(`${Math.round(count / identifying)} titles/s of a core; ${ratio} × the CPU of reading them alone`);
  }
  const slow = titles.map((title) => ({ title, s: cpuSecondsOf(() => void identifyTitle(title, null, index)) }));
  slow.sort((a, b) => b.s - a.s);
  console.log(
    `${items.length} items, indexed in ${building.toFixed(1)} s CPU; matched ${((tally.matched / count / 3) * 100).toFixed(1)}%, ` +
      `unmatched with candidates ${((tally.candidates / count / 3) * 100).toFixed(1)}%; ` +
      `the slowest title ${(slow[0]!.s * 1000).toFixed(1)} ms: ${slow[0]!.title}`,
  );
  const median = rates.sort((a, b) => a - b)[1]!;
  console.log(`${median >= AIM ? 'met   ' : 'MISSED'} median ${Math.round(median)} titles/s of a core; aim ≥ ${AIM}`);
  process.exitCode = median >= AIM ? 0 : 1;
});
