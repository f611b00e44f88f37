import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';

/** What a command works with. */
export type World = {
  config: Config;
  db: Db;
  log: Logger;
  /** For what needs connections of its own, such as the job runner. */
  connection: ClientConfig;
};

/** Exit codes that scripts can use; `--help` lists them. */
export const EXIT = { fault: 1, usage: 2, input: 3, database: 4 } as const;

/** An end that the person at the terminal can do something about: the message is shown as it is, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.input) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Opens the database (starting the embedded one where it is used), brings it up to date, and closes it afterwards. */
export async function withWorld<T>(work: (world: World) => Promise<T>, config = readConfig()): Promise<T> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const { db, connection, stop } = await openDatabase({
    databaseUrl: config.databaseUrl,
    folder: join(config.dataDir, 'postgres'),
    poolSize: config.dbPoolSize,
    log,
  });
  try {
    await migrate(db);
    return await work({ config, db, log, connection });
  } finally {
    await stop();
  }
}

/** The current UTC day number. */
export function today(): number {
  return Math.floor(Date.now() / 86_400_000);
}
