import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintmarkSales } from '../../../src/sales/formats/mintmark.ts';
import { importSales } from '../../../src/sales/import/import-sales.ts';
import { cutOffBefore } from '../../../src/sales/undoing/imports.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../../support/program.ts';
import { csv, rowOf, salesFiles, TODAY } from '../import-world.ts';
import { ADA } from './undo-world.ts';

let fresh: FreshDatabase;
const files = salesFiles();
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await fresh.close();
  files.remove();
});

test('undoing an import names what an earlier one of the same file brought before it was cut off, until that is undone', async () => {
  const { db } = fresh;
  const item = await anItem(db);
  const row = (id: string) => rowOf(item, { sale_id: id });
  const load = async (path: string) =>
    (await importSales(db, { format: mintmarkSales, paths: [path], today: TODAY })).importId;
  const path = files.write(csv(row('a'), row('b')));
  const other = files.write(csv(row('x')));
  const [cut, cutOfOther] = [await load(path), await load(other)];
  await db.query('update imports set finished_at = null where id = any($1::int[])', [[cut, cutOfOther]]);
  const again = await load(path);
  expect(await cutOffBefore(db, again)).toEqual([{ id: cut, sales: 2 }]);
  const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: folderOfRun() };
  const { printed } = await runProgram(['imports', 'undo', String(again), '--yes'], settings);
  expect(printed).toContain(
    `Import ${cut}, which was cut off, had brought 2 sales of the same file: mintmark imports undo ${cut} takes them out too.`,
  );
  await undoImport(db, cut, ADA, TODAY);
  expect(await cutOffBefore(db, again)).toEqual([]);
});
