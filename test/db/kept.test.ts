import { expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { keep } from '../../src/db/kept.ts';

const sql = {} as Sql;

test('what is kept is read once, by concurrent callers too, until the memory is cleared', async () => {
  const db = { ...sql, kept: new Map<string, Promise<unknown>>() };
  let reads = 0;
  const read = async () => ++reads;
  expect(await Promise.all([keep(db, 'a', read), keep(db, 'a', read), keep(db, 'b', read)])).toEqual([1, 1, 2]);
  db.kept.clear();
  expect(await keep(db, 'a', read)).toBe(3);
});

test('a failed read is not kept', async () => {
  const db = { ...sql, kept: new Map<string, Promise<unknown>>() };
  await expect(keep(db, 'a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await keep(db, 'a', async () => 1)).toBe(1);
});

test('a database without a memory is read each time', async () => {
  let reads = 0;
  const read = async () => ++reads;
  expect([await keep(sql, 'a', read), await keep(sql, 'a', read)]).toEqual([1, 2]);
});
