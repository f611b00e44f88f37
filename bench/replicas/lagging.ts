/**
 * `npx tsx bench/replicas/lagging.ts [rounds]`: two `serve` on one primary, each reading from a replica of its own. In each round the
 * first replica stops replaying, a day is closed, and clients ask both servers by turns. Prints how many answers were older than one
 * that had been received before they were asked for (aim: none), for how long after the first new answer, and how soon both servers
 * had the new day: the one whose replica stands still, compared with the other.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '../../src/db/client.ts';
import { median } from '../../src/lib/stats.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { buildProgram } from '../../test/support/built-program.ts';
import { startReplicated } from '../../test/support/database/replicated-server.ts';
import { freePort } from '../../test/support/free-port.ts';
import { fillPricedItems, PRICED_THROUGH } from '../http/http-database.ts';

/** What one client saw: milliseconds since the start of the bench. */
type Seen = { server: number; asOf: string; askedMs: number; receivedMs: number };

const CLIENTS = 4;
const ROUND_MS = 2000;
const PAUSE_MS = 10;

const rounds = Number(process.argv[2] ?? 20);
const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
const servers = await startReplicated(2);
const db = openDb({ connection: { connectionString: servers.primary.url }, poolSize: 4 });
const running: ChildProcess[] = [];
try {
  const program = await buildProgram(folder);
  const [path] = await fillPricedItems(db, 300);
  await servers.replayed();
  const addresses = await Promise.all(servers.replicas.map(({ url }) => startServe(program, url)));
  for (const address of addresses) while ((await asOfAt(`${address}${path}`)) === null) await sleep(50);
  // Each has chosen its replica.
  await sleep(1500);
  const outcomes: Outcome[] = [];
  for (let n = 1; n <= rounds; n++) {
    outcomes.push(
      outcomeOf(
        await round(
          addresses.map((address) => `${address}${path}`),
          PRICED_THROUGH + n,
        ),
      ),
    );
    // What it replays may end the very statement that lets it go on.
    await servers.replicas[0]!.run('select pg_wal_replay_resume()').catch(() => {});
    await servers.replayed();
    await sleep(1000);
  }
  say(outcomes);
} finally {
  for (const child of running) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await db.close();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function startServe(program: string, replica: string): Promise<string> {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    XDG_CONFIG_HOME: '/nonexistent',
    DATABASE_URL: servers.primary.url,
    READ_DATABASE_URLS: replica,
    MINTMARK_DATA: folder,
    PORT: String(port),
    LIMITS: 'off',
    LOG_LEVEL: 'silent',
  };
  running.push(spawn(process.execPath, [program, 'serve'], { env, stdio: 'inherit' }));
  return `http://127.0.0.1:${port}`;
}

/** Closes a day while the first replica stands still, and returns what clients saw. */
async function round(targets: readonly string[], day: number): Promise<Seen[]> {
  await servers.replicas[0]!.run('select pg_wal_replay_pause()');
  const seen: Seen[] = [];
  const until = performance.now() + ROUND_MS;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = client; performance.now() < until; n++) {
      const [server, askedMs] = [n % targets.length, performance.now()];
      const asOf = await asOfAt(targets[server]!);
      if (asOf === null) throw new Error(`server ${server} did not answer`);
      seen.push({ server, asOf, askedMs, receivedMs: performance.now() });
      await sleep(PAUSE_MS);
    }
  });
  await sleep(ROUND_MS / 4);
  await reprice(db, { through: day });
  await Promise.all(clients);
  return seen;
}

type Outcome = { answers: number; older: number; olderMs: number; newMs: number[] };

function outcomeOf(seen: readonly Seen[]): Outcome {
  const last = seen.reduce((latest, { asOf }) => (asOf > latest ? asOf : latest), '');
  const isNew = (one: Seen) => one.asOf === last;
  const firstNewMs = Math.min(...seen.filter(isNew).map(({ receivedMs }) => receivedMs));
  const older = seen.filter((one) => !isNew(one) && one.askedMs > firstNewMs);
  return {
    answers: seen.length,
    older: older.length,
    olderMs: Math.max(0, ...older.map(({ askedMs }) => askedMs - firstNewMs)),
    newMs: servers.replicas.map((_, server) => {
      const own = seen.filter((one) => one.server === server && isNew(one)).map(({ receivedMs }) => receivedMs);
      return Math.min(...own) - firstNewMs;
    }),
  };
}

function say(outcomes: readonly Outcome[]): void {
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((all, one) => all + of(one), 0);
  const longest = Math.max(...outcomes.map(({ olderMs }) => olderMs));
  console.log(`${outcomes.length} closes, ${sum(({ answers }) => answers)} answers of two servers`);
  console.log(
    `older than one received before: ${sum(({ older }) => older)}, at most ${longest.toFixed(0)} ms after the first new answer`,
  );
  for (const [n, name] of ['whose replica stands still', 'whose replica goes on'].entries()) {
    const ms = outcomes.map(({ newMs }) => newMs[n]!);
    console.log(
      `server ${name}: new day ${median(ms).toFixed(0)} (at most ${Math.max(...ms).toFixed(0)}) ms after the first`,
    );
  }
}

async function asOfAt(url: string): Promise<string | null> {
  const response = await fetch(url).catch(() => null);
  if (response === null || response.status !== 200) return null;
  return ((await response.json()) as { grades: { asOf: string }[] }).grades[0]!.asOf;
}
