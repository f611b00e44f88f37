import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.db.query('create table notes (id bigint primary key, text text)');
});
afterAll(() => database.close());

describe('a transaction', () => {
  test('is undone when its work throws, and the connection serves on', async () => {
    const { db } = database;
    await expect(
      db.transaction(async (session) => {
        await session.query("insert into notes values (1, 'a')");
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await db.query('select * from notes')).toEqual([]);
  });

  test('is seen whole once it is committed, bigint as a number', async () => {
    await database.db.transaction((session) => session.query("insert into notes values (9007199254740991, 'b')"));
    expect(await database.db.query('select id from notes')).toEqual([{ id: 9_007_199_254_740_991 }]);
  });
});

test('no connection compiles its statements, that of a job runner neither', async () => {
  const { db } = database;
  const pool = db.openPool(1);
  try {
    const states = [await db.query('show jit'), await db.session((one) => one.query('show jit'))];
    states.push((await pool.query('show jit')).rows);
    expect(states.flat()).toEqual([{ jit: 'off' }, { jit: 'off' }, { jit: 'off' }]);
  } finally {
    await pool.end();
  }
});

test('settings of the connection are kept with ours, and a limit holds for statements outside of sessions', async () => {
  const connection = { ...database.connection, options: '-c geqo=off' };
  const db = openDb({ connection, poolSize: 1, statementWithinMs: 150 });
  try {
    expect(await db.query('show geqo')).toEqual([{ geqo: 'off' }]);
    expect(await db.query('show jit')).toEqual([{ jit: 'off' }]);
    await db.session((one) => one.query('select pg_sleep(0.3)'));
    await expect(db.query('select pg_sleep(5)')).rejects.toThrow('statement timeout');
  } finally {
    await db.close();
  }
});

describe('listening', () => {
  test('goes on after the connection was lost, and says that something may have been missed', async () => {
    const { db } = database;
    const heard: string[] = [];
    let wake = () => {};
    await db.listen('news', (payload) => {
      heard.push(payload);
      wake();
    });
    const until = (payload: string) =>
      new Promise<void>((resolve) => {
        wake = () => heard.includes(payload) && resolve();
        wake();
      });
    await db.query("notify news, 'one'");
    await until('one');
    await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "news"'`);
    await until('');
    await db.query("notify news, 'two'");
    await until('two');
    expect(heard).toEqual(['one', '', 'two']);
  });

  test('all channels share one connection, and each listener hears its own', async () => {
    const { db } = database;
    const heard: string[] = [];
    const connections = async () =>
      (await db.query(`select 1 from pg_stat_activity where query like 'listen %'`)).length;
    await db.listen('sports', (payload) => heard.push(`sports ${payload}`));
    const before = await connections();
    for (const who of ['first', 'second']) await db.listen('weather', (payload) => heard.push(`${who} ${payload}`));
    expect(await connections()).toBe(before);
    await db.query("notify weather, 'rain'");
    await expect.poll(() => heard).toEqual(['first rain', 'second rain']);
  });
});
