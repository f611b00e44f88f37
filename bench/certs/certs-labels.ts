/**
 * `node --import tsx bench/certs/certs-labels.ts <cards.json> [--fails]`: which cards the labels of the vaulted slabs identify, in the
 * database of DATABASE_URL or MINTMARK_DATA, which has the imported catalogs.
 * Company and grade over all of them, compared with the numbers in the same file; the card on 300 labels drawn by
 * a seed and judged by hand before the reading of labels was written (bench/certs/judged-labels.ndjson), compared with what the
 * reading of listings' titles makes of them. Aims: grade right ≥ 97%; wrong card ≤ 1%; matched ≥ 80% of those whose set
 * is in the catalog. `--fails` lists what was judged otherwise.
 */
import { readFileSync } from 'node:fs';
import { gradeByKey } from '../../src/catalog/grades.ts';
import { withWorld } from '../../src/commands/world.ts';
import type { Sql } from '../../src/db/client.ts';
import { CERT_FORMATS } from '../../src/graded/certs/cert-formats.ts';
import { loadLabels } from '../../src/graded/slab/label-book.ts';
import { matchTitle } from '../../src/sales/match/match-title.ts';
import { readTitle } from '../../src/sales/match/read-title.ts';
import { loadTitles } from '../../src/sales/titles.ts';

type Card = { set: string; number: string; name: string; variation: string | null; language: string };
type Judged = { id: string; cert: string } & (
  | { item: Card & { game: string } }
  | { item: null; why: 'set_not_in_catalog' | 'card_not_in_catalog' | 'not_identified' }
);
type Slab = { id: string; itemName: string; gradingCompany: string; grade: string; gradeNum: number | null };

const [path, ...flags] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: certs-labels.ts <cards.json> [--fails]');
const showFails = flags.includes('--fails');
const slabs: Slab[] = JSON.parse(readFileSync(path, 'utf8'));
const judged: Judged[] = readFileSync(new URL('judged-labels.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;
const aims: boolean[] = [];
const aim = (text: string, isMet: boolean) => {
  aims.push(isMet);
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`);
};

/**
 * Grades against the numbers of the file, where these are usable: the company as named, the number as given, the words
 * for the three tens. AUTHENTIC and TAG have no grade here.
 */
async function grades(path: string): Promise<void> {
  let right = 0;
  let all = 0;
  for await (const entry of CERT_FORMATS.find(({ name }) => name === 'vaulted-slabs')!.read(path)) {
    const slab = slabs[entry.line - 1]!;
    if (entry.row === null) continue;
    all++;
    const grade = entry.row.gradeKey === null ? null : gradeByKey(entry.row.gradeKey);
    const company = slab.gradingCompany === 'Beckett' ? 'BGS' : slab.gradingCompany;
    const isUngraded = company === 'TAG' || /authentic/i.test(slab.grade);
    const word = /black label/i.test(slab.grade)
      ? /Black Label/
      : /pristine/i.test(slab.grade)
        ? /Pristine/
        : /Gem Mint/;
    const isRight = isUngraded
      ? grade === null && entry.row.cert.company === company
      : grade?.company === company &&
        grade.number === slab.gradeNum &&
        (slab.gradeNum !== 10 || word.test(grade.grade));
    if (isRight) right++;
    else if (showFails) console.log(`grade: ${company} ${slab.grade} (${slab.gradeNum}) is ${grade?.label ?? 'none'}`);
  }
  aim(`company and grade right: ${share(right, all)}; aim ≥ 97%`, right / all >= 0.97);
}

type Identify = (label: string) => string | null;
type Counts = { right: number; wrong: number; missed: number };

async function cardsById(sql: Sql): Promise<Map<string, Card>> {
  const rows = await sql.query<Card & { id: string }>(
    `select i.id, s.segment as "set", i.number, i.name, i.variation, i.language from items i join sets s on s.id = i.set_id
     where i.game = 'pokemon'`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function measure(identify: Identify, cards: Map<string, Card>, showFails: boolean): Counts {
  const counts = { right: 0, wrong: 0, missed: 0 };
  const labels = new Map(slabs.map(({ id, itemName }) => [id, itemName]));
  for (const { id, item } of judged) {
    const label = labels.get(id);
    if (label === undefined) throw new Error(`${path} has no slab ${id}`);
    const itemId = identify(label);
    const card = itemId === null ? null : cards.get(itemId);
    const isRight =
      item !== null &&
      card != null &&
      (['set', 'number', 'name', 'variation', 'language'] as const).every((field) => card[field] === item[field]);
    if (isRight) counts.right++;
    else if (itemId !== null) counts.wrong++;
    else if (item !== null) counts.missed++;
    if (showFails && !isRight && (itemId !== null || item !== null))
      console.log(
        `${itemId === null ? 'missed' : 'WRONG'}: ${label} | ${JSON.stringify(card)} | judged ${JSON.stringify(item)}`,
      );
  }
  return counts;
}

await grades(path);
await withWorld(async ({ db }) => {
  const cards = await cardsById(db);
  const inCatalog = judged.filter(({ item }) => item !== null).length;
  const setInCatalog = judged.filter((one) => one.item !== null || one.why !== 'set_not_in_catalog').length;
  const titles = await loadTitles(db);
  const asTitles = measure(
    (label) => {
      const reading = readTitle(label);
      reading.grading = { company: null, grade: null, problem: null, conditionAssumed: false };
      const match = matchTitle(reading, titles);
      return match.matched ? match.itemId : null;
    },
    cards,
    false,
  );
  console.log(`read as titles: right ${share(asTitles.right, setInCatalog)}, wrong ${asTitles.wrong}`);
  const startedMs = performance.now();
  const labels = await loadLabels(db);
  const loadedMs = performance.now();
  const counts = measure((label) => labels.match(label).itemId, cards, showFails);
  aim(`wrong card: ${share(counts.wrong, judged.length)}; aim ≤ 1%`, counts.wrong <= judged.length / 100);
  aim(
    `of those whose set is in the catalog matched: ${share(counts.right, setInCatalog)}; aim ≥ 80%`,
    counts.right / setInCatalog >= 0.8,
  );
  console.log(`of those whose card is in the catalog: ${share(counts.right, inCatalog)}`);
  const all = slabs.map(({ itemName }) => labels.match(itemName)).filter(({ itemId }) => itemId !== null).length;
  const matchedMs = performance.now();
  console.log(
    `all labels: matched ${share(all, slabs.length)}; catalog read in ${Math.round(loadedMs - startedMs)} ms, ` +
      `${((1000 * (matchedMs - loadedMs)) / (slabs.length + judged.length)).toFixed(0)} µs a label`,
  );
});
process.exitCode = aims.every(Boolean) ? 0 : 1;
