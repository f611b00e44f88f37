import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../src/lib/day.ts';
import { anItem, aSale, aSet, aVoid, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, type Outcome, runProgram } from '../support/program.ts';

const CHARIZARD = '6e7fdc9a-0000-4000-8000-000000000001';
const BLASTOISE = '6e7fdc9b-0000-4000-8000-000000000002';
const REMOVED = '6e7fdc9c-0000-4000-8000-000000000003';
const PATH = '/card/pokemon/base-base1/4-charizard-6e7fdc9a';
const OUT = join(folderOfRun(), 'plot.svg');

let fresh: FreshDatabase;
let settings: Record<string, string>;

beforeAll(async () => {
  fresh = await freshDatabase();
  const { db } = fresh;
  settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folderOfRun(), 'plot-data') };
  const set = await aSet(db);
  const itemId = await anItem(db, { set, id: CHARIZARD, number: '4', name: 'Charizard' });
  await anItem(db, { set, id: BLASTOISE, number: '2', name: 'Blastoise & <Friends>' });
  await anItem(db, { set, id: REMOVED, number: '9', name: 'Withdrawn' });
  await db.query('update items set removed_at = now() where id = $1', [REMOVED]);
  // PSA 10: 13 sales from 1 April to 24 June.
  await manySales(db, { itemId });
  await aSale(db, { itemId, sold: '2026-05-10', usdCents: 110_00 });
  await aSale(db, { itemId, sold: '2026-05-12', usdCents: 220_00 });
  await aSale(db, { itemId, sold: '2026-05-13', usdCents: 105_00, rejection: 'lot' });
  await aVoid(db, await aSale(db, { itemId, sold: '2026-05-14', usdCents: 105_00 }), 'unpaid', '2026-05-15');
  // PSA 9: one sale is far from the others.
  await manySales(db, { itemId, gradeKey: 'psa-9', usdCents: 40_00, from: '2026-06-01', to: '2026-06-15' });
  await aSale(db, { itemId, gradeKey: 'psa-9', sold: '2026-06-20', usdCents: 4_000_00 });
  // A grade whose only sale was rejected.
  await aSale(db, { itemId, gradeKey: 'psa-8', sold: '2026-06-01', rejection: 'lot' });
  await aSale(db, { itemId: BLASTOISE, gradeKey: 'raw-A', sold: '2026-06-29', usdCents: 12_50 });
  await closeDays(db);
  await aSale(db, { itemId: BLASTOISE, gradeKey: 'psa-10', sold: '2026-06-30', usdCents: 90_00 });
});
afterAll(() => fresh.close());

const plot = (...args: string[]): Promise<Outcome> => runProgram(['plot', ...args], settings);

/** The corners of the paths of a mark, by its class; [] where the mark is not drawn. */
function placesOf(svg: string, mark: string): [x: number, y: number][] {
  const paths = [...svg.matchAll(new RegExp(`<path class="chart-${mark}" d="([^"]*)"`, 'g'))].map(([, path]) => path);
  return [...paths.join('').matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** US dollars by the labels of the axis, of a y. */
function dollarsAt(svg: string, y: number): number {
  const labels = [...svg.matchAll(/x="8" y="([\d.]+)">\$([\d,.]+)</g)].map(([, at, usd]) => ({
    // The label's baseline is 4 below its tick.
    y: Number(at) - 4,
    usd: Number(usd!.replace(',', '')),
  }));
  const [low, high] = [labels[0]!, labels.at(-1)!];
  return low.usd + ((y - low.y) / (high.y - low.y)) * (high.usd - low.usd);
}

type Drawn = { what: string; args: string[]; sales: number; downweighted: number; days: number; says: RegExp };

const DRAWN: Drawn[] = [
  {
    what: 'all days',
    args: [CHARIZARD, 'psa-10'],
    sales: 14,
    downweighted: 1,
    days: 90,
    says: />Dots: accepted sales \(15\), hollow ones down-weighted \(1\)\. Days without the line have no price\.</,
  },
  {
    what: 'a range of days, of a card by its path',
    args: [PATH, 'psa-10', '--from', '2026-05-01', '--to', '2026-05-11'],
    sales: 2,
    downweighted: 0,
    days: 11,
    says: />US dollars, 1 May 2026 to 11 May 2026 \(UTC\)\. Line: reference price .*>Dots: accepted sales \(2\)\.</s,
  },
  {
    what: 'days without a sale',
    args: [PATH, 'psa-10', '--from', '2026-06-25', '--to', '2026-06-29'],
    sales: 0,
    downweighted: 0,
    days: 5,
    says: />No sale was accepted in these days\.</,
  },
  {
    what: 'days that are not closed yet',
    args: [PATH, 'psa-10', '--from', '2026-06-28', '--to', '2026-07-31'],
    sales: 0,
    downweighted: 0,
    days: 2,
    says: />US dollars, 28 Jun 2026 to 31 Jul 2026.*these days\. Days without the line have no price\.</s,
  },
  {
    what: 'a sale far from the line, at the edge',
    args: ['/card/pokemon/base-base1/4-charizard-psa-9-6e7fdc9a', 'psa-9'],
    sales: 3,
    downweighted: 1,
    days: 29,
    says: /Points outside the scale are drawn at its edge\.</,
  },
  {
    what: 'a sale of a day that is not closed yet',
    args: [BLASTOISE, 'psa-10', '--to', '2026-07-31'],
    sales: 1,
    downweighted: 0,
    days: 0,
    says: />US dollars, 30 Jun 2026 to 31 Jul 2026 \(UTC\)\. No day has a reference price\.</,
  },
  {
    what: 'one sale, of a name with markup',
    args: [BLASTOISE, 'raw-a'],
    sales: 1,
    downweighted: 0,
    days: 1,
    says: /<title>Blastoise &amp; &lt;Friends>, Base #2, Raw A<\/title>/,
  },
];

describe('plot draws', () => {
  test.each(DRAWN)('$what', async ({ args, sales, downweighted, days, says }) => {
    const { code, printed, errors } = await plot(...args);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(printed).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\n$/s);
    expect(printed).toMatch(says);
    const counts = Object.fromEntries(
      ['sales', 'downweighted', 'line', 'band', 'band-next'].map((mark) => [mark, placesOf(printed, mark).length]),
    );
    // A band has an upper and a lower end; that of one day is a line.
    expect(counts).toEqual({ sales, downweighted, line: days, band: 2 * days, 'band-next': 2 * days });
  });

  test('each sale at its day and price, and the line within its range', async () => {
    const { printed } = await plot(PATH, 'psa-10', '--from', '2026-05-01', '--to', '2026-05-31');
    const at = (day: string) => (1000 * (parseDay(day)! - parseDay('2026-05-01')!)) / 30;
    const sold = (mark: string) =>
      placesOf(printed, mark).map(([x, y]) => [Math.round(x), Math.round(dollarsAt(printed, y))]);
    const inMay = ['2026-05-06', '2026-05-10', '2026-05-13', '2026-05-20', '2026-05-27'].map((day) => [
      Math.round(at(day)),
      day === '2026-05-10' ? 110 : 100,
    ]);
    expect(sold('sales')).toEqual(inMay);
    expect(sold('downweighted')).toEqual([[Math.round(at('2026-05-12')), 220]]);
    const [band, next] = [placesOf(printed, 'band'), placesOf(printed, 'band-next')];
    for (const [i, [x, y]] of placesOf(printed, 'line').entries()) {
      const [upper, lower] = [band[i]!, band.at(-1 - i)!];
      expect([upper[0], lower[0]]).toEqual([x, x]);
      expect(upper[1]).toBeLessThan(y);
      expect(lower[1]).toBeGreaterThan(y);
      expect(next[i]![1]).toBeLessThanOrEqual(upper[1]);
      expect(next.at(-1 - i)![1]).toBeGreaterThanOrEqual(lower[1]);
    }
  });

  test('into a file, the same', async () => {
    const days = ['--from', '2026-05-01', '--to', '2026-05-31'];
    const written = await plot(PATH, 'psa-10', ...days, '--out', OUT);
    expect(written).toMatchObject({ code: 0, errors: '' });
    expect(written.printed).toBe(`${OUT}: Charizard, Base #4, PSA 10, 6 sales, 31 days with a price\n`);
    expect(readFileSync(OUT, 'utf8')).toBe((await plot(PATH, 'psa-10', ...days)).printed);
  });
});

type Wrong = { what: string; args: string[]; code: number; says: RegExp };

const WRONG: Wrong[] = [
  {
    what: 'an unknown id',
    args: ['6e7fdc9a-0000-4000-8000-00000000000f', 'psa-10'],
    code: 2,
    says: /^no item has the id "6e7f/,
  },
  { what: 'a name', args: ['charizard', 'psa-10'], code: 2, says: /by its id or by the path of its page, \/card\/…$/ },
  {
    what: 'a misspelt name',
    args: ['/card/pokemon/base-base1/4-charzard', 'psa-10'],
    code: 2,
    says: /Did you mean \/card\/pokemon\/base-base1\/4-charizard-6e7fdc9a\?$/,
  },
  {
    what: 'a misspelt set',
    args: [PATH.replace('base-base1', 'bse-base1'), 'psa-10'],
    code: 2,
    says: /Did you mean \/card\/pokemon\/base-base1\/4-charizard-6e7fdc9a\?$/,
  },
  {
    what: 'the id of another card in a path',
    args: [PATH.replace('charizard', 'pikachu'), 'psa-10'],
    code: 2,
    says: /another name.* Did you mean \/card\/pokemon\/base-base1\/4-charizard-6e7fdc9a\?$/,
  },
  {
    what: 'a path like no card',
    args: ['/card/pokemon/jungle/1-mew', 'psa-10'],
    code: 2,
    says: /No card has this address; copy .*`href`\.$/,
  },
  {
    what: 'an unknown game',
    args: [PATH.replace('pokemon', 'pokmon'), 'psa-10'],
    code: 2,
    says: /must be one of pokemon, /,
  },
  {
    what: 'a withdrawn card, by id',
    args: [REMOVED, 'psa-10'],
    code: 2,
    says: /This card was taken out of the catalog/,
  },
  {
    what: 'a misspelt grade',
    args: [PATH, 'psa10'],
    code: 2,
    says: /^"psa10" is not a grade such as psa-10; did you mean psa-10\? This card has psa-10, psa-9\.$/,
  },
  {
    what: 'a word for a grade',
    args: [PATH, 'gem'],
    code: 2,
    says: /^"gem" is not a grade such as psa-10\. This card has /,
  },
  {
    what: 'two grades',
    args: ['/card/pokemon/base-base1/4-charizard-psa-9-6e7fdc9a', 'psa-10'],
    code: 2,
    says: /^the path is that of psa-9, the grade is psa-10$/,
  },
  {
    what: 'a grade whose sales are all rejected',
    args: [PATH, 'psa-8'],
    code: 3,
    says: /^Charizard, Base #4, PSA 8 has neither a price nor an accepted sale up to .*; its grades are psa-10, psa-9$/,
  },
  {
    what: 'days before the first sale',
    args: [PATH, 'psa-10', '--from', '2025-01-01', '--to', '2025-12-31'],
    code: 3,
    says: /accepted sale from 2025-01-01 to 2025-12-31;/,
  },
  { what: 'no day', args: [PATH, 'psa-10', '--from', '2026-02-30'], code: 2, says: /^--from takes a day/ },
  {
    what: 'days in the wrong order',
    args: [PATH, 'psa-10', '--from', '2026-05-02', '--to', '2026-05-01'],
    code: 2,
    says: /^--from must not be after --to \(2026-05-01\)$/,
  },
  {
    what: 'a file in a folder that does not exist',
    args: [PATH, 'psa-10', '--out', join(OUT, 'x', 'plot.svg')],
    code: 3,
    says: /plot\.svg is not a folder\.$/,
  },
];

test.each(WRONG)('$what is rejected in one sentence, exit code $code', async ({ args, code, says }) => {
  const ended = await plot(...args);
  const sentences = ended.errors.split('\n').filter((line) => line.startsWith('mintmark: '));
  expect(sentences, ended.errors).toHaveLength(1);
  expect(sentences[0]!.slice('mintmark: '.length)).toMatch(says);
  expect(ended.code).toBe(code);
  expect(ended.printed).toBe('');
});
