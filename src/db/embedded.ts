import { isAbsolute, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedError, type EmbeddedLog, explained, fullDisk, isCode, tellsOfFullDisk } from './embedded-error.ts';
import { type DataFolder, prepareFolder, reasonIn } from './embedded-folder.ts';
import { attach, countLeases, type Lease, logLength, outputIfEnded, release, startKeeper } from './embedded-lease.ts';
import { chooseSocketFolder, findPostmaster, type Postmaster } from './embedded-postmaster.ts';

export type Embedded = {
  /** Any number of clients may connect with it until `stop`. */
  connection: pg.ClientConfig;
  /** Gives up our hold. The server ends with the last process that holds it; then this waits for its end. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** The database folder; made when absent. */
  folder: string;
  log: EmbeddedLog;
  /** False, for tests only: a crash of the machine may lose data. */
  durable?: boolean;
};

const DATABASE = 'mintmark';
const POLL_MS = 10;
const KEEPER_GONE_AFTER_MS = 1_000;
const TELL_EVERY_MS = 10_000;
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Starts the embedded PostgreSQL for a folder, or attaches to the one that runs for it. It listens on a unix socket
 * only and stops when the last process attached to it is gone, however that ended.
 * @throws EmbeddedError with one sentence that says what to do.
 */
export async function startEmbedded({ folder, log, durable = true }: EmbeddedOptions): Promise<Embedded> {
  const wanted = isAbsolute(folder) ? folder : resolve(folder);
  try {
    const data = prepareFolder(wanted, durable, log);
    return await startOrAttach(data, durable, log);
  } catch (error) {
    throw explained(error, wanted);
  }
}

async function startOrAttach(data: DataFolder, durable: boolean, log: EmbeddedLog): Promise<Embedded> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  let problem = 'it does not answer';
  while (Date.now() < giveUpAt) {
    const offset = logLength(data.path);
    const running = findPostmaster(data.path);
    const lease = running === null ? await launch(data, durable) : await joinRunning(data, running);
    if (lease !== null) {
      try {
        const ready = await untilReady(data.path, lease, offset, log);
        if (typeof ready === 'string') {
          problem = ready;
        } else {
          const connection = connectionTo(ready);
          const refusal = await makeDatabase(connection, data.path);
          if (refusal === null) return { connection, stop: () => stop(data.path, lease) };
          problem = refusal;
        }
      } catch (error) {
        release(data.path, lease);
        throw error;
      }
      release(data.path, lease);
    }
    await sleep(POLL_MS);
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL of ${data.path} cannot be used (${problem}): read mintmark/server.log there, end what still uses the folder, and start again.`,
  );
}

function launch(data: DataFolder, durable: boolean): Promise<Lease | null> {
  const { socketFolder, temporary } = chooseSocketFolder(data);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Refused statements are told to whoever sent them; the log is for what nobody else hears of.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startKeeper(data, [data.binaries.postgres, '-D', data.path, ...flags], temporary ? socketFolder : '');
}

/** Attaches to a running server; null while it is stopping. One whose keeper was killed gets a new keeper. */
async function joinRunning(data: DataFolder, running: Postmaster): Promise<Lease | null> {
  if (running.state === 'stopping') return null;
  const lease = await attach(data.path);
  if (lease !== null) return lease;
  await sleep(KEEPER_GONE_AFTER_MS);
  const still = findPostmaster(data.path);
  if (still?.pid !== running.pid || still.state === 'stopping') return null;
  return startKeeper(data, [], running.socketFolder === data.path ? '' : running.socketFolder);
}

/** The server once it takes connections, or why another try is needed. */
async function untilReady(
  folder: string,
  lease: Lease,
  offset: number,
  log: EmbeddedLog,
): Promise<Postmaster | string> {
  const begun = Date.now();
  for (let told = begun; ; await sleep(POLL_MS)) {
    const output = outputIfEnded(folder, lease, offset);
    if (output !== null) return whyEnded(folder, output);
    const running = findPostmaster(folder);
    if (running?.state === 'ready') return running;
    if (running?.state === 'stopping') return 'it is stopping';
    if (running === null && Date.now() - begun > GIVE_UP_AFTER_MS) return 'it does not start';
    if (Date.now() - told > TELL_EVERY_MS) {
      told = Date.now();
      log.info(
        `the database is starting, for ${Math.round((told - begun) / 1000)} s so far: after a crash it first restores what was written`,
      );
    }
  }
}

/** Why the server that we started ended at once: what another try can mend is returned, the rest thrown. */
function whyEnded(folder: string, output: string): string {
  if (tellsOfFullDisk(output)) throw fullDisk(folder);
  const reason = reasonIn(output);
  if (/lock file .* already exists|shared memory block|is being used by|in use/.test(output)) return reason;
  throw new EmbeddedError(
    `PostgreSQL did not start on ${folder} (${reason}): read mintmark/server.log there, and mend that or set DATABASE_URL.`,
  );
}

function connectionTo(server: Postmaster): pg.ClientConfig {
  return { host: server.socketFolder, port: 5432, user: 'mintmark', database: DATABASE, ssl: false };
}

/** Makes our database on a new server; returns what a server that is going down refuses. */
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
    if (error instanceof Error && tellsOfFullDisk(error.message)) throw fullDisk(folder);
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function stop(folder: string, lease: Lease): Promise<void> {
  if (!release(folder, lease)) return;
  for (const end = Date.now() + GIVE_UP_AFTER_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (countLeases(folder) > 0 || findPostmaster(folder) === null) return;
  }
}
