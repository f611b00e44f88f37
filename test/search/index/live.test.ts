import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LiveIndex, openLiveIndex } from '../../../src/search/index/live.ts';
import { loadIndex } from '../../../src/search/index/load-index.ts';
import type { SearchIndex } from '../../../src/search/index/search-index.ts';
import { rankText } from '../../../src/search/query/rank-text.ts';
import { compiledProgram, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { scratchFolder } from '../../support/scratch.ts';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
const opened: LiveIndex[] = [];
let builds = 0;
/** Counts the builds that end. */
const log = pino({ level: 'info' }, { write: () => builds++ });
beforeEach(() => {
  builds = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.close()));
  await database.close();
});

function openLive(compiled = compiledProgram()) {
  const live = openLiveIndex({ db: database.db, log, synonymsFile: null, compiled });
  opened.push(live);
  return live;
}

async function sizeOf(live: LiveIndex): Promise<number> {
  await live.built();
  return live.call('size');
}

/** A live index over a thread that answers each call (`name`) with this expression. */
function openOver(expression: string): LiveIndex {
  const compiled = scratchFolder();
  mkdirSync(join(compiled, 'search/index'), { recursive: true });
  writeFileSync(
    join(compiled, 'search/index/index-thread.js'),
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ id, name }) => {
       const reply = (value) => parentPort.postMessage({ id, value });
       ${expression};
     });`,
  );
  return openLive(pathToFileURL(`${compiled}/`));
}

describe('the order of the index', () => {
  test('is by sales of the last year, then price, then age; rejected sales and older ones do not count', async () => {
    const { db } = database;
    const old = await aSet(db, { name: 'Base', code: 'base1' });
    const young = await aSet(db, { name: 'Skies', code: 'swsh7' });
    await db.query('update sets set year = case id when $1 then 1999 else 2021 end', [old.id]);
    const items: Record<string, string> = {};
    for (const [name, set] of [
      ['unsoldYoung', young],
      ['unsoldOld', old],
      ['rejectedOnly', young],
      ['longAgo', old],
      ['cheap', old],
      ['expensive', young],
      ['often', young],
    ] as const)
      items[name] = await anItem(db, { set, name: 'Mew', number: String(Object.keys(items).length) });
    await manySales(db, { itemId: items.often!, everyDays: 3, usdCents: 5_00 });
    await manySales(db, { itemId: items.expensive!, usdCents: 90_00 });
    await manySales(db, { itemId: items.cheap!, usdCents: 30_00 });
    await manySales(db, { itemId: items.longAgo!, from: '2024-01-01', to: '2024-12-31', everyDays: 1 });
    for (let n = 0; n < 9; n++)
      await aSale(db, { itemId: items.rejectedOnly!, sold: '2026-06-01', rejection: 'outlier' });
    await closeDays(db);
    const { size, idOf } = await loadIndex(db);
    const order = Array.from({ length: size }, (_, item) => idOf(item));
    const names = order.map((id) => Object.keys(items).find((name) => items[name] === id));
    expect(names.slice(0, 5)).toEqual(['often', 'expensive', 'cheap', 'longAgo', 'unsoldOld']);
    expect(new Set(names)).toEqual(new Set(Object.keys(items)));
  });

  test('is that of the last close, so that servers that started before and after an import answer alike', async () => {
    const { db } = database;
    const set = await aSet(db, { name: 'Base', code: 'base1' });
    const often = await anItem(db, { set, name: 'Mew', number: '1' });
    const seldom = await anItem(db, { set, name: 'Mew', number: '2' });
    const unsold = await anItem(db, { set, name: 'Mew', number: '3' });
    await manySales(db, { itemId: often, everyDays: 5, to: '2026-05-31' });
    await manySales(db, { itemId: seldom, everyDays: 20, to: '2026-05-31' });
    await closeDays(db, '2026-05-31');
    const order = async () => {
      const { size, idOf } = await loadIndex(db);
      return Array.from({ length: size }, (_, item) => idOf(item));
    };
    const before = await order();
    expect(before).toEqual([often, seldom, unsold]);
    for (const itemId of [unsold, seldom]) await manySales(db, { itemId, from: '2026-06-01', everyDays: 1 });
    expect(await order()).toEqual(before);
    await closeDays(db);
    expect((await order())[2]).toBe(often);
  });

  test('has every live item once, sold or not, beyond the size of a batch', async () => {
    const { db } = database;
    const itemId = await anItem(db, { name: 'Mew' });
    await manySales(db, { itemId });
    const gone = await anItem(db, { name: 'Gone', number: '9' });
    await manySales(db, { itemId: gone });
    await db.query('update items set removed_at = now() where id = $1', [gone]);
    await db.query(
      `insert into items (id, game, set_id, number, name, language, stem, identity_key)
       select gen_random_uuid(), game, set_id, 'x' || n, 'Card ' || n, language, 'x' || n, 'x' || n
       from items, generate_series(1, 2100) n where id = $1`,
      [itemId],
    );
    await closeDays(db);
    const { size, idOf } = await loadIndex(db);
    const ids = Array.from({ length: size }, (_, item) => idOf(item));
    expect(new Set(ids).size).toBe(2101);
    expect(size).toBe(2101);
    expect(ids[0]).toBe(itemId);
  });
});

describe('the live index', () => {
  test('is built by the first call, once for all waiting callers', async () => {
    await anItem(database.db);
    const live = openLive();
    await Promise.all([live.built(), live.built()]);
    expect(await live.call('size')).toBe(1);
    expect(builds).toBe(1);
  });

  test('refreshed during a build has what was there when the refresh was requested', async () => {
    const live = openLive();
    const building = live.refresh();
    await anItem(database.db);
    await Promise.all([live.refresh(), building]);
    expect(await sizeOf(live)).toBe(1);
  });

  test('that cannot be built says so, keeps what it has, and is built the next time', async () => {
    const { db } = database;
    const live = openLive();
    await db.query('alter table items rename to away');
    await expect(live.built()).rejects.toThrow();
    await db.query('alter table away rename to items');
    expect(await sizeOf(live)).toBe(0);
    await anItem(db);
    await db.query('alter table sets rename to away');
    await expect(live.refresh()).rejects.toThrow();
    expect(await sizeOf(live)).toBe(0);
    await db.query('alter table away rename to sets');
    await live.refresh();
    expect(await sizeOf(live)).toBe(1);
  });

  test('whose thread has died is built again by the next request', async () => {
    const live = openOver(`name === 'tagKinds' ? process.exit() : reply(7)`);
    await live.built();
    await expect(live.call('tagKinds')).rejects.toThrow('has ended');
    expect(await sizeOf(live)).toBe(7);
  });

  test('that is closed starts no other thread for any call', async () => {
    const live = openOver('reply(7)');
    await live.built();
    builds = 0;
    await live.close();
    await expect(live.built()).rejects.toThrow('closed');
    await expect(live.refresh()).rejects.toThrow('closed');
    expect(builds).toBe(0);
  });

  test('that is closed during builds ends them, and every caller gets an error', async () => {
    await anItem(database.db);
    const live = openLive();
    const calls = [live.built(), live.refresh(), live.refresh()].map((call) => expect(call).rejects.toThrow());
    await live.close();
    await Promise.all(calls);
    expect(builds).toBe(0);
  });

  test('whose thread cannot be started says why', async () => {
    await expect(openLive(new URL('http://127.0.0.1/')).built()).rejects.toThrow('URL must be of scheme file');
  });

  test('that is replaced answers first what it was called for', async () => {
    const live = openOver(`setTimeout(reply, name === 'build' ? 0 : 300, 7)`);
    await live.built();
    const found = live.call('tagKinds');
    await live.refresh();
    expect(await found).toBe(7);
  });

  test('follows the catalog, and no answer of before is kept beyond it', async () => {
    const { db } = database;
    const api = await testApp(db, { cacheMb: 8 });
    const found = async () => (await api.get('/v1/search?q=charizard')).json.results.length;
    expect(await found()).toBe(0);
    await anItem(db);
    await db.query(`select pg_notify('catalog', '')`);
    await expect.poll(found, { timeout: 10_000, interval: 100 }).toBe(1);
    await api.app.close();
  });

  test('is built again by itself where that failed', { timeout: 60_000 }, async () => {
    const { db } = database;
    const api = await testApp(db);
    const found = async () => (await api.get('/v1/search?q=charizard')).json.results?.length;
    expect(await found()).toBe(0);
    await anItem(db);
    await db.query('alter table tags rename to tags_away');
    await db.query(`select pg_notify('catalog', '')`);
    await setTimeout(4000);
    await db.query('alter table tags_away rename to tags');
    await expect.poll(found, { timeout: 40_000, interval: 200 }).toBe(1);
    await api.app.close();
  });
});

const firstOf = (index: SearchIndex, q: string) => rankText(index, q).slice(0, 1).map(index.idOf);

describe("the operator's synonyms", () => {
  test('take precedence over the bundled ones; a line that is not a rule does no harm', async () => {
    const { db } = database;
    const set = await aSet(db, { name: 'Evolving Skies', code: 'swsh7' });
    const umbreon = await anItem(db, { set, number: '215', name: 'Umbreon VMAX' });
    const mew = await anItem(db, { set, number: '1', name: 'Mew' });
    const folder = scratchFolder();
    const file = join(folder, 'synonyms.txt');
    expect(firstOf(await loadIndex(db), 'moonbreon')).toEqual([umbreon]);
    writeFileSync(file, 'pokemon: moonbreon = mew\nno rule\npokemon: kitty = mew # ours\n');
    const index = await loadIndex(db, file);
    expect(firstOf(index, 'moonbreon')).toEqual([mew]);
    expect(firstOf(index, 'kitty')).toEqual([mew]);

    const api = await testApp(db, { env: { SYNONYMS_FILE: file } });
    const { json } = await api.get('/v1/search?q=psa%2010%20kitty');
    expect(json.results[0].id).toBe(mew);
    await api.app.close();
    rmSync(folder, { recursive: true });
  });
});
