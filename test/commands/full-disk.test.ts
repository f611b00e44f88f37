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
const write = (name: string, lines: readonly string[]) => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};
const cards = (set: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({ game: 'pokemon', set: { key: set, name: `Set ${set}` }, number: `${n + 1}`, name: `Card ${n}` }),
  );
const SALES = 'item_id,company,grade,price,currency,sold_at,source,sale_id';
const FEW_CARDS = 200;
const MANY_CARDS = write('many.ndjson', cards('b', 30_000));
const CARDS = ['import', 'catalog', 'mintmark', write('few.ndjson', cards('a', FEW_CARDS))];

/** What imports leave, without what names the import and the moment. */
async function stateOf(db: Db) {
  const digest = (rows: string) => digestOf(db, rows);
  return {
    sets: await digest('select game, segment, name, year from sets'),
    items: await digest(
      `select (to_jsonb(i) - '{set_id,created_at,updated_at}'::text[])::text, s.segment from items i join sets s on s.id = i.set_id`,
    ),
    tags: await digest('select l.item_id, t.kind, t.slug from item_tags l join tags t on t.id = l.tag_id'),
    sources: await digest('select space, source_id, item_id, removed_at is null from item_sources'),
    sales: await digest(
      `select s.source, s.source_sale_id, s.revision, s.item_id, s.company, s.grade, s.grade_key, s.sold_at, s.known_at,
         s.price_usd_cents, s.price_minor, s.currency, s.sale_type, s.rejection, s.file, s.line, v.reason
       from sales s left join sale_voids v on v.sale_id = s.id`,
    ),
    waiting: await digest('select source, source_sale_id, sale, reason, line from waiting_sales'),
    rejected: await digest('select line, file, reason, message, raw from rejected_rows'),
  };
}

/** The state that the imports leave where nothing fails. */
let reference: FreshDatabase;
let env: Record<string, string>;
const imports: Record<string, { few: string[]; many: string[]; rows: number }> = {};
beforeAll(async () => {
  reference = await freshDatabase();
  env = { MINTMARK_DATA: join(folder, 'reference'), DATABASE_URL: databaseUrlOf(reference.connection) };
  expect(await runProgram(CARDS, env)).toMatchObject({ code: 0 });
  const items = await reference.db.query<{ id: string }>('select id from items order by id');
  expect(items).toHaveLength(FEW_CARDS);
  const sale = (n: number) =>
    `${items[n % FEW_CARDS]!.id},PSA,10,${10 + (n % 90)}.00,USD,2026-0${1 + (n % 9)}-1${n % 10},ebay,s${n}`;
  const sales = (from: number, count: number) => [
    SALES,
    ...Array.from({ length: count }, (_, n) => sale(from + n)),
    'x,PSA',
    `11111111-1111-4111-8111-111111111111,PSA,10,10.00,USD,2026-01-01,ebay,unknown${from}`,
  ];
  const salesFile = (name: string, from: number, count: number) => [
    'import',
    'sales',
    'mintmark',
    write(name, sales(from, count)),
  ];
  imports.sales = { few: salesFile('few.csv', 0, 500), many: salesFile('many.csv', 500, 120_000), rows: 120_002 };
  imports.catalog = { few: CARDS, many: ['import', 'catalog', 'mintmark', MANY_CARDS], rows: 30_000 };
});
afterAll(() => reference.close());

describe.skipIf(!canOpenDisk)('an import that fills the disk of the embedded database', () => {
  /** Runs the imports on a disk of which `free` megabytes are left for the large one, and returns the state afterwards. */
  async function onFullDisk(disk: Disk, place: string, kind: string, free: number) {
    const { few, many, rows } = imports[kind]!;
    const onDisk = { MINTMARK_DATA: join(place, 'disk', 'data') };
    for (const args of [CARDS, few]) expect([0, 5]).toContain((await disk.run(args, onDisk)).code);
    disk.leaveFree(free);

    const full = await disk.run(many, onDisk);
    expect(full.code, full.output).toBe(4);
    const sentences = full.errors.split('\n').filter((line) => line.startsWith('mintmark: '));
    expect(sentences, full.output).toEqual([
      expect.stringMatching(
        /^mintmark: There is no space left on the disk of \S+\/data\/postgres \(\d+ MB free\): free at least 100 MB there and run the command again; nothing that was stored is lost\.$/,
      ),
    ]);
    expect(full.errors).not.toMatch(/^ {4}at /m);
    // The next command does not wait for a server that cannot start, and says the same.
    const next = await disk.run(['imports', 'list'], onDisk);
    if (next.code !== 0)
      expect(next.errors).toMatch(/^mintmark: There is no space left on the disk of \S+ \(\d+ MB free\): /m);

    disk.makeRoom();
    const again = await disk.run([...few, '--json'], onDisk);
    const { added, known = 0, repeated = 0 } = JSON.parse(again.printed);
    expect({ added, kept: known + repeated }).toEqual({ added: 0, kept: kind === 'sales' ? 500 : FEW_CARDS });
    const whole = await disk.run([...many, '--json'], onDisk);
    expect([0, 5], whole.output).toContain(whole.code);
    const report = JSON.parse(whole.printed);
    expect(kind === 'sales' ? report.rows : report.records).toBe(rows);

    const backup = await disk.run(['backup', join(place, 'backups'), '--json'], onDisk);
    expect(backup.code, backup.output).toBe(0);
    const restored = await emptyDatabase();
    const restoring = {
      MINTMARK_DATA: join(place, 'restored'),
      DATABASE_URL: databaseUrlOf(restored.connection),
    };
    const restore = await runProgram(['restore', JSON.parse(backup.printed).place], restoring);
    expect(restore.code, restore.output).toBe(0);
    const state = await stateOf(restored.db);
    await restored.close();
    return state;
  }

  // In a few megabytes the log of changes has no room first, in more a table.
  test.each([
    ['catalog', 18],
    ['sales', 18],
    ['sales', 50],
  ])(
    '(%s, with %d MB left) says where and what to do, keeps what was imported, and run again with room leaves the state of one that never failed',
    async (kind, free) => {
      for (const args of [imports[kind]!.few, imports[kind]!.many]) await runProgram(args, env);
      const place = join(folder, `${kind}-${free}`);
      mkdirSync(join(place, 'disk'), { recursive: true });
      const disk = await openDisk(join(place, 'disk'), '1g');
      try {
        const state = await onFullDisk(disk, place, kind, free);
        const { items, sets, sources, tags, ...ofSales } = await stateOf(reference.db);
        // The reference has the imports of the other kind too.
        expect(state).toMatchObject(kind === 'sales' ? ofSales : { items, sets, sources, tags });
      } finally {
        await disk.close();
      }
    },
    900_000,
  );
});
