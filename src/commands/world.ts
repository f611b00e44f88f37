import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../config.ts';
import type { Db, DbConfig, Sql } from '../db/client.ts';
import { makeDataFolder } from '../db/data-folder.ts';
import { fullDiskIn } from '../db/embedded-error.ts';
import { type LockWait, sentenceOfWait } from '../db/locks.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { dayOf, parseDay } from '../lib/day.ts';
import { clockDoubt } from '../ops/clock-doubt.ts';
import { runningCommand } from './running.ts';

/** What a command works with. */
export type CommandWorld = {
  config: Config;
  db: Db;
  log: Logger;
  /** For what needs connections of its own, such as a scratch database. */
  connection: ClientConfig;
};

/** Exit codes that scripts can use; `--help` lists them. */
export const EXIT = { fault: 1, usage: 2, input: 3, database: 4, incomplete: 5 } as const;

/** An end that the person at the terminal can do something about: the message is shown as it is, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.input) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Opens the database (starting the embedded one where it is used), brings it up to date, and closes it afterwards.
 * `limits` are of what answers requests (see DbConfig); commands that import or close have none.
 */
export async function withWorld<T>(
  work: (world: CommandWorld) => Promise<T>,
  config = readConfig(),
  limits: Pick<DbConfig, 'statementWithinMs' | 'connectWithinMs'> = {},
): Promise<T> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  makeDataFolder(config.dataDir);
  let lost: Error | null = null;
  const { db, connection, stop } = await openDatabase({
    databaseUrl: config.databaseUrl,
    folder: join(config.dataDir, 'postgres'),
    poolSize: config.dbPoolSize,
    ...limits,
    name: `mintmark ${runningCommand()}`,
    onWait: (wait) => showWait(log, wait),
    log,
    onLost(error) {
      lost = error;
      // A server ends as it does on a signal to stop, and logs why.
      process.emit('SIGTERM', 'SIGTERM');
    },
  });
  try {
    await migrate(db);
    const result = await work({ config, db, log, connection });
    if (lost !== null) throw lost;
    return result;
  } catch (error) {
    throw lost ?? (config.databaseUrl === null ? fullDiskIn(join(config.dataDir, 'postgres'), error) : error);
  } finally {
    await stop();
  }
}

/** Commands whose standard error is a log of JSON lines. */
const LOGGING = ['serve', 'worker'];

function showWait(log: Logger, wait: LockWait): void {
  if (LOGGING.includes(runningCommand())) log.warn(wait, 'waiting for a lock');
  else console.error(`mintmark: ${sentenceOfWait(wait)}`);
}

/** The current UTC day number. */
export function today(): number {
  return dayOf(Date.now());
}

/**
 * The current UTC day number for what is recorded: whether a sale is dated ahead, and since when it is known, depend on it.
 * @throws CommandError where the clocks of this machine and of the database differ.
 */
export async function agreedToday(sql: Sql, clock: () => number = Date.now): Promise<number> {
  const doubt = await clockDoubt(sql, clock);
  if (doubt !== null) throw new CommandError(doubt, EXIT.usage);
  return dayOf(clock());
}

/** The UTC day number that an option states. Throws CommandError for what is not a day. */
export function dayOption(name: string, text: string): number {
  const day = parseDay(text);
  if (day === null) throw new CommandError(`${name} takes a day as YYYY-MM-DD`, EXIT.usage);
  return day;
}

/** The number of rows that `--limit` states. Throws CommandError for what is not one. */
export function limitOption(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new CommandError('--limit takes a whole number from 1 to 99999');
  return Number(text);
}

/** The first signal to stop. Later ones change nothing: npm passes on a Ctrl-C that the terminal has sent already. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
}
