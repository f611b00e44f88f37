import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyBinary, newBinaryRows } from '../../../src/db/copy/copy-binary.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('values of every type arrive as they were, in one row or in several memories', async () => {
  const { db } = database;
  await db.query(
    `create table kinds (a smallint, b int, c bigint, d real, e boolean, f timestamptz, g text, h uuid, i bytea)`,
  );
  const uuid = '00000000-0000-4000-8000-0123456789ab';
  const large = Buffer.alloc(300_000, 7);
  const rows = newBinaryRows();
  const values = [
    {
      a: -3,
      b: -70_000,
      c: -5,
      d: 0.5,
      e: true,
      ms: Date.UTC(2026, 10, 28, 12, 0, 0, 123),
      g: 'x',
      i: Buffer.alloc(0),
    },
    { a: 3, b: 70_000, c: 2 ** 52 + 1, d: -1.25, e: false, ms: Date.UTC(1999, 11, 31), g: '', i: large },
  ];
  for (const { a, b, c, d, e, ms, g, i } of values) {
    rows.row(9, i.length);
    rows.i16(a);
    rows.i32(b);
    rows.i64(c);
    rows.f32(d);
    rows.bool(e);
    rows.time(ms);
    rows.ascii(g);
    rows.uuid(uuid);
    rows.bytea([i]);
  }
  await db.transaction((session) => copyBinary(session, 'kinds (a, b, c, d, e, f, g, h, i)', rows));
  const stored = await db.query('select * from kinds order by a');
  expect(stored).toEqual(values.map(({ ms, ...value }) => ({ ...value, f: new Date(ms), h: uuid })));
});
