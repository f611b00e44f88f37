import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endImport } from '../../src/commands/import-outcome.ts';
import type { CommandError } from '../../src/commands/world.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

const folder = folderOfRun();
const write = (name: string, ...lines: string[]) => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};

let fresh: FreshDatabase;
let item: string;
beforeAll(async () => {
  fresh = await freshDatabase();
  item = await anItem(fresh.db, {});
});
afterAll(() => fresh.close());

async function exitCode(...args: string[]) {
  const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data') };
  const { code, errors } = await runProgram(['import', ...args], settings);
  return { code, errors, last: errors.trim().split('\n').at(-1) };
}

test('the rule: 3 when nothing could be used, 5 when some could not, else nothing is thrown', () => {
  const codeOf = (total: number, used: number, rejected: number) => {
    try {
      endImport({ total, used, rejected });
      return 0;
    } catch (error) {
      return (error as CommandError).exitCode;
    }
  };
  expect([codeOf(0, 0, 0), codeOf(2, 0, 2), codeOf(2, 0, 0), codeOf(2, 1, 1), codeOf(2, 1, 0)]).toEqual([
    3, 3, 3, 5, 0,
  ]);
});

test.each([
  [1, 0, 'the row does not count: the reason is above'],
  [2, 0, 'none of the 2 rows counts: the reasons are above'],
  [1, 1, 'nothing was imported: the row could not be used'],
  [2, 2, 'nothing was imported: none of the 2 rows could be used'],
])('of %d rows without a usable one, %d unreadable, it says so', (total, rejected, message) => {
  expect(() => endImport({ total, used: 0, rejected })).toThrow(message);
});

const SALES = 'item_id,company,grade,price,currency,sold_at,source,sale_id';
const LISTINGS = 'item_id,company,grade,price,currency,source,listing_id';
const sale = (n: number, price: string) => `${item},PSA,10,${price},USD,2026-05-01,ebay,${n}`;
const listing = (n: number, price: string) => `${item},PSA,10,${price},USD,ebay,${n}`;
const card = (name: string) => JSON.stringify({ game: 'pokemon', set: { key: 'a', name: 'A' }, name });

/** What an import reads: a row that can be used, one that cannot. */
const IMPORTS: Record<string, { args: string[]; header?: string; name: string; good(): string; bad: string }> = {
  sales: { args: ['sales', 'mintmark'], name: 's.csv', header: SALES, good: () => sale(1, '10.00'), bad: 'x,PSA' },
  listings: {
    args: ['listings', 'mintmark'],
    name: 'l.csv',
    header: LISTINGS,
    good: () => listing(1, '10.00'),
    bad: 'x,PSA',
  },
  rates: {
    args: ['rates'],
    name: 'r.csv',
    header: 'date,currency,usd_per_unit',
    good: () => '2026-01-02,EUR,1.1',
    bad: 'x,EUR,1',
  },
  catalog: { args: ['catalog', 'mintmark'], name: 'c.ndjson', good: () => card('Pikachu'), bad: '{"game":"chess"}' },
  certs: {
    args: ['certs', 'mintmark'],
    name: 'certs.csv',
    header: 'cert,company,grade,itemId',
    good: () => `12345678,PSA,10,${item}`,
    bad: 'x,PSA,10,y',
  },
  upstream: {
    args: ['upstream'],
    name: 'u.csv',
    header: 'item,upstream_id',
    good: () => `${item},inv-1`,
    bad: 'nothing,inv-2',
  },
  population: {
    args: ['population'],
    name: 'p.csv',
    header: 'item,company,grade,day,count',
    good: () => `${item},PSA,10,2026-01-02,5`,
    bad: `${'0'.repeat(36)},PSA,10,2026-01-02,5`,
  },
  ids: {
    args: ['ids'],
    name: 'i.csv',
    header: 'item,space,id',
    good: () => `${item},psa-spec,544028`,
    bad: `${'0'.repeat(36)},psa-spec,1`,
  },
  tags: {
    args: ['tags'],
    name: 't.csv',
    header: 'kind,slug,name,game,active,aliases,itemId',
    good: () => `mood,calm,Calm,,,,${item}`,
    bad: `mood,calm,Calm,,,,${'0'.repeat(36)}`,
  },
  vectors: {
    args: ['vectors'],
    name: 'v.ndjson',
    good: () => JSON.stringify({ itemId: item, model: 'mobileclip-s2', vector: [1, ...Array(511).fill(0)] }),
    bad: '{"itemId":"x","model":"mobileclip-s2","vector":[1]}',
  },
};

describe.each(Object.entries(IMPORTS))('import %s', (_, { args, header, name, good, bad }) => {
  const of = (...rows: string[]) => exitCode(...args, write(name, ...(header === undefined ? [] : [header]), ...rows));

  test('names a row that cannot be used by its file and line', async () => {
    const { errors } = await of(good(), bad);
    expect(errors).toMatch(new RegExp(`${name}(:| line )${header === undefined ? 2 : 3}:`));
  });

  test('ends with 0 when every row was used, 5 when some were, 3 when none was', async () => {
    expect(await of(good(), bad)).toMatchObject({
      code: 5,
      last: expect.stringMatching(/1 of 2 .* the others were imported$/),
    });
    expect(await of(bad)).toMatchObject({ code: 3, last: expect.stringMatching(/^mintmark: nothing was imported/) });
    // Known already: used all the same.
    expect(await of(good())).toMatchObject({ code: 0 });
  });

  test('names the three codes in its help', async () => {
    const { printed } = await runProgram(['import', args[0]!, '--help'], {});
    expect(printed).toMatch(/^Exit codes: 0 every row was used, 5 some could not .*, 3 none could be used;$/m);
  });
});

test('import images counts files by the same rule', async () => {
  const pixels = sharp({ create: { width: 300, height: 420, channels: 3, background: '#35a' } });
  await pixels.jpeg().toFile(join(folder, `${item}.jpg`));
  writeFileSync(join(folder, 'no-item.jpg'), 'no picture');
  expect(await exitCode('images', folder)).toMatchObject({ code: 5 });
});

test('a sale that is recorded but kept out of prices is used; a file of nothing else ends with 3', async () => {
  const lot = (n: number) => `${item},PSA,10,0.10,USD,2026-05-02,ebay,${n}`;
  const sales = (...rows: string[]) => exitCode('sales', 'mintmark', write('lots.csv', SALES, ...rows));
  expect(await sales(lot(10), lot(11))).toMatchObject({
    code: 3,
    last: 'mintmark: none of the 2 rows counts: the reasons are above',
  });
  expect(await sales(lot(12), sale(13, '12.00'))).toMatchObject({ code: 0 });
});

test.each([
  ['sales', 'mintmark', 'bad-header.csv'],
  ['sales', 'csv', 'bad-header.csv'],
  ['listings', 'mintmark', 'bad-header.csv'],
  ['catalog', 'tcgdex', 'no-catalog.json'],
])('a file that import %s %s cannot read leaves no import that would never finish', async (kind, format, name) => {
  const path = write(name, name.endsWith('.json') ? '[1]' : 'alpha,beta', '1,2');
  expect(await exitCode(kind, format, path)).toMatchObject({ code: 3 });
  expect(await fresh.db.query('select kind, format from imports where finished_at is null')).toEqual([]);
});
