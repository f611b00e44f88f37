import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDb } from '../../../src/db/client.ts';
import { findBinaries } from '../../../src/db/embedded-binaries.ts';
import { serverUser } from '../../../src/db/embedded-user.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { freePort } from '../free-port.ts';
import { scratchFolder } from '../scratch.ts';
import { statement } from './database-server.ts';

/** A server of a primary and its replicas, on loopback. */
type ReplicatedServer = {
  port: number;
  url: string;
  /** Runs one statement, as its superuser. */
  run(text: string): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(database?: string): Promise<void>;
  /** Stops every process of it where it is, as a machine that hangs; or lets them go on. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void;
};

export type Replicated = {
  primary: ReplicatedServer;
  replicas: ReplicatedServer[];
  /** Resolves when every replica has replayed what the primary had written at the call. */
  replayed(): Promise<void>;
  stop(): Promise<void>;
};

const USER = 'operator';
const DATABASE = 'mintmark';

/**
 * A migrated primary with `count` replicas that stream from it, or from the one of them that is promoted, of the
 * embedded PostgreSQL. Nothing is forced to disk.
 */
export async function startReplicated(count = 1): Promise<Replicated> {
  const folder = scratchFolder();
  const user = serverUser(null);
  chownSync(folder, user.uid, user.gid);
  const binaries = findBinaries(user, scratchFolder(tmpdir()));
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const asUser = { ...user.switchTo, cwd: folder, env };
  const data = (n: number) => join(folder, `server-${n}`);
  execFileSync(binaries.initdb, ['-D', data(0), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...asUser,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ports: number[] = [];
  for (let n = 0; n <= count; n++) ports.push(await freePort());
  appendFileSync(
    join(data(0), 'postgresql.conf'),
    "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nmax_connections = 200\nwal_keep_size = '256MB'\nmax_standby_streaming_delay = 0\nautovacuum = off\nwal_retrieve_retry_interval = '200ms'\n",
  );
  const servers = ports.map((port, n) => serverOf(binaries.postgres, data(n), port, asUser));
  const [primary, ...replicas] = servers as [Started, ...Started[]];
  await primary.start('postgres');
  await statement({ connectionString: primary.url.replace(/mintmark$/, 'postgres') }, `create database ${DATABASE}`);
  const db = openDb({ connection: { connectionString: primary.url }, poolSize: 1 });
  await migrate(db);
  await db.close();
  await primary.end('SIGINT');
  const follow = `primary_conninfo = 'host=${ports.map(() => '127.0.0.1')} port=${ports} user=${USER} target_session_attrs=read-write'\n`;
  for (let n = 1; n <= count; n++) {
    execFileSync('cp', ['-a', data(0), data(n)]);
    appendFileSync(join(data(n), 'postgresql.auto.conf'), follow);
    writeFileSync(join(data(n), 'standby.signal'), '');
  }
  await Promise.all(servers.map((server) => server.start()));
  return {
    primary,
    replicas,
    async replayed() {
      const db = openDb({ connection: { connectionString: primary.url }, poolSize: 1 });
      const [written] = await db.query('select pg_current_wal_lsn() as lsn');
      const behind = () =>
        db.query<{ behind: number }>(
          'select ($2 - count(*))::int as behind from pg_stat_replication where replay_lsn >= $1::pg_lsn',
          [written!.lsn, count],
        );
      while ((await behind())[0]!.behind > 0) await sleep(20);
      await db.close();
    },
    async stop() {
      await Promise.all(servers.map((server) => server.end('SIGQUIT')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Started = ReplicatedServer & { end(signal: NodeJS.Signals): Promise<void> };

function serverOf(postgres: string, data: string, port: number, asUser: object): Started {
  const url = `postgres://${USER}@127.0.0.1:${port}/${DATABASE}`;
  let child: ChildProcess | null = null;
  const hasEnded = () => child === null || child.exitCode !== null || child.signalCode !== null;
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return;
    const ended = once(child!, 'exit');
    child!.kill(signal);
    // One that is frozen ends too.
    child!.kill('SIGCONT');
    await ended;
  }
  return {
    port,
    url,
    run: (text) => statement({ connectionString: url }, text),
    async start(database = DATABASE) {
      if (!hasEnded()) throw new Error('this server runs');
      child = spawn(postgres, ['-D', data, '-p', String(port)], { ...asUser, stdio: 'ignore', detached: true });
      await untilAnswers(url.replace(/[^/]+$/, database), hasEnded);
    },
    end,
    async kill() {
      await end('SIGKILL');
      // Its children end by themselves, as soon as they see that.
      while (existsSync(join(data, 'postmaster.pid')) && (await answers(url))) await sleep(5);
      rmSync(join(data, 'postmaster.pid'), { force: true });
    },
    freeze(signal) {
      // Each connection has a process, in a group of its own.
      const children = readFileSync(`/proc/${child!.pid}/task/${child!.pid}/children`, 'utf8').split(' ');
      for (const pid of [child!.pid!, ...children.slice(0, -1).map(Number)]) signalTo(pid, signal);
    },
  };
}

/** One that ended meanwhile, as those of closed connections do, is passed over. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function untilAnswers(url: string, hasEnded: () => boolean): Promise<void> {
  while (!(await answers(url))) {
    if (hasEnded()) throw new Error('PostgreSQL has ended');
    await sleep(20);
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  const answered = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => {});
  return answered;
}
