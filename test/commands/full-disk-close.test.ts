import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { digestOf } from '../support/database/digest.ts';
import { canOpenDisk, type Disk, openDisk } from '../support/database/disk.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

const folder = folderOfRun();
const CARDS = 300;
const SALES = 60_000;

const write = (name: string, lines: readonly string[]) => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};
const CATALOG = write(
  'cards.ndjson',
  Array.from({ length: CARDS }, (_, n) =>
    JSON.stringify({ game: 'pokemon', set: { key: 'a', name: 'Set a' }, number: `${n + 1}`, name: `Card ${n}` }),
  ),
);

/** What a close computes, with the ids that two installations share. */
async function pricesOf(db: Db) {
  const digest = (rows: string) => digestOf(db, rows);
  return {
    model: await digest('select closed_day, state from model_state'),
    cards: await digest('select item_id, state from card_states'),
    snapshots: await digest('select item_id, period, snapshots from card_snapshots'),
    markets: await digest('select * from market_days'),
    sales: await digest(
      `select s.source_sale_id, u.closed_day, u.weight, u.voided_day from sale_uses u join sales s on s.id = u.sale_id`,
    ),
    record: await digest('select day, root from record_days'),
  };
}

let reference: FreshDatabase;
let imports: string[][];
beforeAll(async () => {
  reference = await freshDatabase();
  const env = { MINTMARK_DATA: join(folder, 'reference'), DATABASE_URL: databaseUrlOf(reference.connection) };
  expect(await runProgram(['import', 'catalog', 'mintmark', CATALOG], env)).toMatchObject({ code: 0 });
  const items = await reference.db.query<{ id: string }>('select id from items order by id');
  const sale = (n: number) =>
    `${items[n % CARDS]!.id},PSA,${8 + (n % 3)},${10 + ((n * 7) % 90)}.00,USD,2025-${1 + (n % 12)}-${1 + (n % 28)},ebay,s${n}`.replace(
      /-(\d)(?=[-,])/g,
      '-0$1',
    );
  const sales = write('sales.csv', [
    'item_id,company,grade,price,currency,sold_at,source,sale_id',
    ...Array.from({ length: SALES }, (_, n) => sale(n)),
  ]);
  imports = [
    ['import', 'catalog', 'mintmark', CATALOG],
    ['import', 'sales', 'mintmark', sales],
  ];
  for (const args of [imports[1]!, ['reprice']]) expect(await runProgram(args, env)).toMatchObject({ code: 0 });
});
afterAll(() => reference.close());

describe.skipIf(!canOpenDisk)('a close that fills the disk of the embedded database', () => {
  test.each([1, 6])(
    '(%d MB free) says where and what to do, and run again with room leaves the prices of one that never failed',
    async (free) => {
      const place = join(folder, `disk-${free}`);
      mkdirSync(join(place, 'disk'), { recursive: true });
      const disk = await openDisk(join(place, 'disk'), '1g');
      try {
        expect(await closedOn(disk, place, free)).toEqual(await pricesOf(reference.db));
      } finally {
        await disk.close();
      }
    },
    600_000,
  );

  async function closedOn(disk: Disk, place: string, free: number) {
    const env = { MINTMARK_DATA: join(place, 'disk', 'data') };
    for (const args of imports) expect(await disk.run(args, env)).toMatchObject({ code: 0 });
    disk.leaveFree(free);
    const full = await disk.run(['reprice', '--json'], env);
    expect(full.code, full.output).toBe(4);
    expect(full.printed).toBe('');
    expect(
      full.errors.split('\n').filter((line) => line.startsWith('mintmark: ')),
      full.output,
    ).toEqual([
      expect.stringMatching(
        /^mintmark: There is no space left on the disk of \S+\/data\/postgres \(\d+ MB free\): free /,
      ),
    ]);
    disk.makeRoom();
    expect(await disk.run(['reprice'], env)).toMatchObject({ code: 0 });
    const backup = await disk.run(['backup', join(place, 'backups'), '--json'], env);
    expect(backup.code, backup.output).toBe(0);
    const restored = await emptyDatabase();
    const restoring = { MINTMARK_DATA: join(place, 'restored'), DATABASE_URL: databaseUrlOf(restored.connection) };
    const { place: file } = JSON.parse(backup.printed);
    expect(await runProgram(['restore', file], restoring)).toMatchObject({ code: 0 });
    const prices = await pricesOf(restored.db);
    await restored.close();
    return prices;
  }
});
