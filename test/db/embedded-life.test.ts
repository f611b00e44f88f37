import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/db/embedded.ts';
import { findPostmaster, isAlive } from '../../src/db/embedded-postmaster.ts';
import { copyDatabase, holdEmbedded, keepersOf, pristineDatabase } from '../support/database/embedded-process.ts';
import { scratchFolder } from '../support/scratch.ts';

let kept: string;
let pristine: string;
let base: string;
let folder: string;
const start = (): Promise<Embedded> =>
  startEmbedded({ folder, log: { info: () => {}, warn: (message) => console.warn(message) }, durable: false });
const running = () => findPostmaster(folder)?.pid ?? null;

async function ask(embedded: Embedded, text: string): Promise<unknown> {
  const client = new pg.Client(embedded.connection);
  await client.connect();
  try {
    return Object.values((await client.query(text)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); await sleep(10)) {
    if (Date.now() > end) throw new Error(`waited in vain for ${condition}`);
  }
}

beforeAll(async () => {
  kept = scratchFolder();
  pristine = await pristineDatabase(kept);
});
afterAll(() => rmSync(kept, { recursive: true, force: true }));

beforeEach(() => {
  base = scratchFolder();
  folder = join(base, 'postgres');
  copyDatabase(pristine, folder);
});
afterEach(async () => {
  const left = running();
  if (left !== null) process.kill(left, 'SIGQUIT');
  await until(() => running() === null);
  rmSync(base, { recursive: true, force: true });
});

describe('the embedded server', () => {
  test('keeps its data, listens on a unix socket only, and folds letters of every script', async () => {
    const first = await start();
    expect(await ask(first, 'show listen_addresses')).toBe('');
    expect(
      await ask(
        first,
        "select lower('ÉCLAIR ДРАКОН') || (select datcollate from pg_database where datname = current_database())",
      ),
    ).toBe('éclair драконC');
    await ask(first, 'create table kept as select 7 as seven');
    await first.stop();
    expect(running()).toBeNull();
    const second = await start();
    expect(await ask(second, 'select seven from kept')).toBe(7);
    await second.stop();
    await second.stop();
  });

  test('forces every commit to disk unless it is for tests', async () => {
    const embedded = await startEmbedded({ folder, log: { info: () => {}, warn: () => {} } });
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
    for (const setting of settings) expect(await ask(embedded, `show ${setting}`), setting).toBe('on');
    await embedded.stop();
  });

  test('is shared by processes and stops with the last of them', async () => {
    const ours = await start();
    const other = await holdEmbedded(folder);
    expect(other.said).toMatchObject({ serverPid: running(), visits: 1, listenAddresses: '' });
    await ours.stop();
    expect(running()).toBe(other.said.serverPid);
    await other.end();
    expect(running()).toBeNull();
  });

  test('stops when the last process is killed, and not when another one is', async () => {
    const [a, b] = await Promise.all([holdEmbedded(folder), holdEmbedded(folder)]);
    expect(a.said.serverPid).toBe(b.said.serverPid);
    await a.end('SIGKILL');
    const ours = await start();
    expect(running()).toBe(b.said.serverPid);
    await ours.stop();
    expect(running()).toBe(b.said.serverPid);
    await b.end('SIGKILL');
    await until(() => running() === null);
  });

  test('is one for processes that start together on a folder that is not there yet', async () => {
    rmSync(folder, { recursive: true });
    const all = await Promise.all([start(), start(), start()]);
    const pids = await Promise.all(all.map((one) => ask(one, 'select pg_postmaster_start_time()::text')));
    expect(new Set(pids).size).toBe(1);
    expect(readdirSync(base)).toEqual(['postgres']);
    await Promise.all(all.map((one) => one.stop()));
    expect(running()).toBeNull();
  });

  test('can be started again before it stops, while it stops and just after', async () => {
    const moments = [() => true, () => findPostmaster(folder)?.state !== 'ready', () => running() === null];
    let held = await start();
    for (const moment of [...moments, ...moments]) {
      const stopped = held.stop();
      await until(moment);
      held = await start();
      await stopped;
      expect(await ask(held, 'select 1')).toBe(1);
    }
    await held.stop();
    expect(running()).toBeNull();
  });

  test('gets a new keeper when its keeper was killed', async () => {
    const first = await start();
    for (const pid of keepersOf(folder)) process.kill(pid, 'SIGKILL');
    const second = await start();
    await first.stop();
    expect(await ask(second, 'select 1')).toBe(1);
    await second.stop();
    expect(running()).toBeNull();
  });

  test('lets a process end that started the new keeper, while others use the server', async () => {
    const first = await start();
    for (const pid of keepersOf(folder)) process.kill(pid, 'SIGKILL');
    const second = await holdEmbedded(folder);
    await second.end();
    expect(await ask(first, 'select 1')).toBe(1);
    await first.stop();
    expect(running()).toBeNull();
  });

  test('is started again after it was killed, with what was committed', async () => {
    const first = await start();
    await ask(first, 'create table kept as select 7 as seven');
    process.kill(running()!, 'SIGKILL');
    const second = await start();
    expect(await ask(second, 'select seven from kept')).toBe(7);
    expect(await ask(first, 'select seven from kept')).toBe(7);
    await second.stop();
    expect(running()).not.toBeNull();
    await first.stop();
    expect(running()).toBeNull();
  });

  test('starts over a pid file whose number another program of its user has by now, or that is empty', async () => {
    const first = await start();
    const server = running()!;
    const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server}/status`, 'utf8'))![1]);
    const pidFile = readFileSync(join(folder, 'postmaster.pid'), 'utf8');
    await first.stop();
    const stranger = spawn('sleep', ['60'], { uid, cwd: '/' });
    await new Promise((resolve) => stranger.once('spawn', resolve));
    for (const pid of [stranger.pid, 4_000_000]) {
      writeFileSync(join(folder, 'postmaster.pid'), pidFile.replace(/^\d+/, String(pid)));
      const again = await start();
      expect(await ask(again, 'select 1')).toBe(1);
      await again.stop();
    }
    writeFileSync(join(folder, 'postmaster.pid'), '');
    utimesSync(join(folder, 'postmaster.pid'), 0, 0);
    await (await start()).stop();
    expect(isAlive(stranger.pid!)).toBe(true);
    stranger.kill();
  });

  test('is reached through a short path when that of its folder is too long for a socket', async () => {
    folder = join(base, 'x'.repeat(60), 'y'.repeat(60), 'postgres');
    copyDatabase(pristine, folder);
    const embedded = await start();
    const socketFolder = embedded.connection.host!;
    expect(Buffer.byteLength(socketFolder)).toBeLessThan(90);
    expect(await ask(embedded, 'select 1')).toBe(1);
    const other = await holdEmbedded(folder);
    expect(other.said.socketFolder).toBe(socketFolder);
    await embedded.stop();
    await other.end();
    await until(() => !existsSync(socketFolder));
  });
});
