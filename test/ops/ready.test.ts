import { mkdirSync, rmSync } from 'node:fs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testApp } from '../support/app.ts';
import { freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

const PARTS = ['database', 'migrations', 'files', 'search', 'vectors'] as const;

test('ready is 200 once database, migrations, search index and vectors are there, and is never stored', async () => {
  const { db, close } = await freshDatabase();
  const api = await testApp(db);
  await expect.poll(async () => (await api.get('/ready')).json, { timeout: 20_000 }).toMatchObject({ ready: true });
  const { headers, json } = await api.get('/ready');
  expect(json).toEqual({ ready: true, database: true, migrations: true, files: true, search: true, vectors: true });
  expect(headers['cache-control']).toBe('no-store');
  await api.app.close();
  await close();
});

test('each part that is missing is named, and then ready is 503 while health is 200', async () => {
  const { db, close } = await freshDatabase();
  const dataDir = folderOfRun();
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const api = await testApp(db, { env: { MINTMARK_DATA: dataDir }, log });
  const missing = async () => {
    const { status, headers, json } = await api.get('/ready');
    expect([status, json.ready, json.error, headers['retry-after']]).toEqual([503, false, 'unavailable', '1']);
    expect((await api.get('/health')).status).toBe(200);
    return [PARTS.filter((part) => json[part] !== true), json.detail];
  };
  await expect.poll(async () => (await api.get('/ready')).json, { timeout: 20_000 }).toMatchObject({ ready: true });

  // Another database takes this one's place: a backup of an older version.
  await db.query(`update migrations set name = '9999_of_a_newer_program' where name = '0001_catalog.sql'`);
  expect(await missing()).toEqual([['migrations'], expect.stringContaining('mintmark migrate')]);
  await db.query(`update migrations set name = '0001_catalog.sql' where name = '9999_of_a_newer_program'`);
  await db.query(`insert into migrations (name, sha256) values ('9999_of_a_newer_program', 'x')`);
  expect((await api.get('/ready')).status).toBe(200);

  rmSync(dataDir, { recursive: true });
  const files = 'Not ready: the data folder cannot be read: it has the pictures and the bulk files.';
  expect(await missing()).toEqual([['files'], files]);
  expect(await missing()).toEqual([['files'], files]);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the data folder cannot be read']);
  mkdirSync(dataDir);
  expect((await api.get('/ready')).status).toBe(200);

  const { nearest } = api.context;
  const { warm } = nearest;
  nearest.warm = () => new Promise(() => {});
  expect(await missing()).toEqual([['vectors'], 'Not ready: the vectors of pictures are being loaded.']);
  nearest.warm = warm;

  const index = api.context.liveIndex;
  const { built } = index;
  index.built = () => new Promise(() => {});
  expect(await missing()).toEqual([['search'], 'Not ready: the search index is being built.']);
  index.built = built;
  await api.app.close();
  await close();
});

test('without a database ready is 503 and says so', async () => {
  const { db, close } = await freshDatabase();
  const api = await testApp(db);
  await expect.poll(async () => (await api.get('/ready')).json, { timeout: 20_000 }).toMatchObject({ ready: true });
  await close();
  // In a browser too: an operator sees which part is missing.
  const { status, json } = await api.get('/ready', { accept: 'text/html' });
  expect(status).toBe(503);
  const posted = await api.app.inject({ method: 'POST', url: '/health', headers: { accept: 'text/html' } });
  expect([posted.statusCode, posted.headers['content-type']]).toEqual([405, 'application/problem+json; charset=utf-8']);
  expect(json).toMatchObject({ ready: false, database: false, detail: 'Not ready: the database does not answer.' });
  await api.app.close();
});
