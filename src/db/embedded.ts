import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedError, type EmbeddedLog, explained, fullDisk, isCode, isFullDisk } from './embedded-error.ts';
import { type DataFolder, prepareFolder, reasonIn } from './embedded-folder.ts';
import {
  attach,
  confirm,
  countLeases,
  type Lease,
  logLength,
  logSince,
  release,
  STOP_WITHIN_MS,
  startServer,
  takeOver,
} from './embedded-lease.ts';
import { chooseSocketFolder, findPostmaster, type Postmaster } from './embedded-postmaster.ts';
import { type Hold, keepRunning } from './embedded-watch.ts';

export type Embedded = {
  /** Any number of clients may connect with it until `stop`. */
  connection: pg.ClientConfig;
  /** Detaches. The server ends with the last attached process; then this waits for its end. */
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  /** The database folder; made when absent. */
  folder: string;
  log: EmbeddedLog;
  /** False, for tests only: a crash of the machine may lose data. */
  durable?: boolean;
  /** Called once when the server has ended and cannot be started again. */
  onLost?: (error: Error) => void;
};

const DATABASE = 'mintmark';
const POLL_MS = 10;
const KEEPER_LOST_AFTER_MS = 1_000;
const REPORT_EVERY_MS = 10_000;
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Starts the embedded PostgreSQL for a folder, or attaches to the one that runs for it. It listens on a unix socket
 * only, is started again when it ends by itself, and stops when the last process attached to it has ended.
 * @throws EmbeddedError with one sentence that says what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { folder, log, durable = true, onLost = () => {} } = options;
  const wanted = isAbsolute(folder) ? folder : resolve(folder);
  const explaining = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explained(error, wanted);
    }
  };
  return explaining(async () => {
    const data = prepareFolder(wanted, durable, log);
    const hold = await startOrAttach(data, durable, log);
    const again = () => explaining(() => startOrAttach(data, durable, log));
    const kept = keepRunning(data.path, hold, again, log, onLost);
    return { connection: connectionTo(hold.server), stop: async () => stop(data.path, await kept.end()) };
  });
}

async function startOrAttach(data: DataFolder, durable: boolean, log: EmbeddedLog): Promise<Hold> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  let problem = 'it does not answer';
  while (Date.now() < giveUpAt) {
    const running = findPostmaster(data.path);
    const hold = running === null ? await launch(data, durable, log) : await joinRunning(data, running, log);
    if (typeof hold === 'string') {
      problem = hold;
    } else {
      const fault = await makeDatabase(connectionTo(hold.server), data.path);
      if (fault === null) return hold;
      release(data.path, hold.lease);
      problem = fault;
    }
    await sleep(POLL_MS);
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL of ${data.path} cannot be used (${problem}): read mintmark/server.log there, end what still uses the folder, and start again.`,
  );
}

/** Starts a server; what another try can mend (another process was first) is returned as text, the rest thrown. */
async function launch(data: DataFolder, durable: boolean, log: EmbeddedLog): Promise<Hold | string> {
  const { socketFolder, temporary } = chooseSocketFolder(data);
  const offset = logLength(data.path);
  const start = await startServer(data, serverCommand(data, socketFolder, durable), temporary ? socketFolder : '');
  try {
    await until(() => start.hasEnded() || findPostmaster(data.path)?.pid === start.serverPid);
    if (!start.hasEnded()) {
      start.won();
      if (!(await confirm(data.path, start))) return 'its keeper was killed';
      const server = await untilReady(data.path, start.hasEnded, log);
      if (server !== null) return { lease: start, server };
    }
    release(data.path, start);
    return whyEnded(data.path, logSince(data.path, offset));
  } catch (error) {
    release(data.path, start);
    throw error;
  }
}

function serverCommand(data: DataFolder, socketFolder: string, durable: boolean): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements go to the client that sent them; the log keeps what no client receives.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    shared_buffers: `${sharedBuffersMb()}MB`,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [data.binaries.postgres, '-D', data.path, ...flags];
}

/**
 * The server's cache of pages, in MB: an eighth of the machine's memory (of the container's, if that is limited), from
 * PostgreSQL's default of 128 to 1,024. Memory is taken as pages are read.
 */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(1024, Math.max(128, Math.floor(bytes / 8 / 2 ** 20)));
}

/** Attaches to a running server, unless it is stopping. One whose keeper was killed gets a new keeper. */
async function joinRunning(data: DataFolder, running: Postmaster, log: EmbeddedLog): Promise<Hold | string> {
  const hasEnded = () => findPostmaster(data.path)?.pid !== running.pid;
  if (running.state === 'stopping') {
    await until(hasEnded, STOP_WITHIN_MS);
    if (!hasEnded()) {
      log.warn('the database does not finish stopping: ending it at once');
      process.kill(running.pid, 'SIGQUIT');
      await until(hasEnded);
    }
    return 'it was stopping';
  }
  let lease = await attach(data.path);
  if (lease === null) {
    await until(hasEnded, KEEPER_LOST_AFTER_MS);
    if (hasEnded()) return 'it was stopping';
    lease = await takeOver(data, running.pid, running.socketFolder === data.path ? '' : running.socketFolder);
    if (lease === null) return 'its keeper does not answer';
  }
  const server = await untilReady(data.path, hasEnded, log);
  if (server !== null) return { lease, server };
  release(data.path, lease);
  return 'it ended';
}

/** The server once it takes connections; null when it ends or stops instead. */
async function untilReady(folder: string, hasEnded: () => boolean, log: EmbeddedLog): Promise<Postmaster | null> {
  const begun = Date.now();
  for (let reportedAt = begun; !hasEnded(); await sleep(POLL_MS)) {
    const running = findPostmaster(folder);
    if (running?.state === 'ready') return running;
    if (running?.state === 'stopping') return null;
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now();
      const seconds = Math.round((reportedAt - begun) / 1000);
      log.info(`the database is starting, for ${seconds} s so far; after a crash it first restores what was written`);
    }
  }
  return null;
}

async function until(condition: () => boolean, withinMs = GIVE_UP_AFTER_MS): Promise<void> {
  for (const end = Date.now() + withinMs; !condition() && Date.now() < end; ) await sleep(POLL_MS);
}

/** Why a server ended at once. */
function whyEnded(folder: string, output: string): string {
  if (isFullDisk(output)) throw fullDisk(folder);
  const reason = reasonIn(output);
  if (/lock file .* (already exists|is empty)|shared memory block|is being used by|in use|is shut down/.test(output))
    return reason;
  throw new EmbeddedError(
    `PostgreSQL did not start on ${folder} (${reason}): read mintmark/server.log there, and mend that or set DATABASE_URL.`,
  );
}

function connectionTo(server: Postmaster): pg.ClientConfig {
  return { host: server.socketFolder, port: 5432, user: 'mintmark', database: DATABASE, ssl: false };
}

/** Makes our database on a new server; returns the error of a server that is shutting down. */
async function makeDatabase(connection: pg.ClientConfig, folder: string): Promise<string | null> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE} template template0`);
    return null;
  } catch (error) {
    if (isCode(error, '42P04', '23505')) return null;
    if (error instanceof Error && isFullDisk(error.message)) throw fullDisk(folder);
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function stop(folder: string, lease: Lease): Promise<void> {
  if (!release(folder, lease)) return;
  // A folder that is gone has no leases to count.
  await until(() => !existsSync(folder) || countLeases(folder) > 0 || findPostmaster(folder) === null);
}
