import type pg from 'pg';
import { type Db, openDb } from './client.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import type { EmbeddedLog } from './embedded-error.ts';
import type { LockWait } from './locks.ts';
import { connectionOf, newClient, type ServerConnection } from './servers/hosts.ts';

/** Why the server of DATABASE_URL cannot be used: one sentence that says what to do. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError';
}

type OpenOptions = {
  /** The server to use; null for the embedded one. */
  databaseUrl: string | null;
  /** The embedded server's database folder; not touched when there is a `databaseUrl`. */
  folder: string;
  poolSize: number;
  /** Both: see DbConfig. */
  statementWithinMs?: number;
  connectWithinMs?: number;
  /** What the connections call themselves, for others to see, unless DATABASE_URL or PGAPPNAME does. */
  name: string;
  /** See DbConfig. */
  onWait?: (wait: LockWait) => void;
  log: EmbeddedLog;
  /** Called once when the embedded server has ended and cannot be started again. */
  onLost?: (error: Error) => void;
};

type OpenDatabase = {
  db: Db;
  /** For clients that need connections of their own, such as a scratch database. */
  connection: pg.ClientConfig;
  /** Closes the pool, and stops the embedded server when no other process uses it. */
  stop(): Promise<void>;
};

/** The oldest server with every feature that we use, as `server_version_num` counts. */
const OLDEST_VERSION = 150_000;

/**
 * Opens the database: that of DATABASE_URL, or the embedded one.
 * @throws DatabaseUrlError | EmbeddedError
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl, folder, poolSize, statementWithinMs, connectWithinMs, name, onWait, log, onLost } = options;
  const server = databaseUrl === null ? await startEmbedded({ folder, log, onLost }) : await checkedServer(databaseUrl);
  const connection = { ...server.connection, fallback_application_name: name };
  const db = openDb({ connection, poolSize, statementWithinMs, connectWithinMs, onWait });
  return {
    db,
    connection,
    async stop() {
      await db.close();
      await server.stop();
    },
  };
}

async function checkedServer(databaseUrl: string): Promise<Embedded> {
  let connection: ServerConnection;
  let version: number;
  let client: pg.Client | undefined;
  try {
    connection = connectionOf(databaseUrl);
    client = newClient({ ...connection, connectionTimeoutMillis: 10_000 });
    await client.connect();
    const { rows } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::int as number`,
    );
    version = rows[0]!.number;
  } catch (error) {
    // The URL itself is not repeated: it may contain a password.
    const reason = error instanceof AggregateError ? error.errors[0] : error;
    throw new DatabaseUrlError(
      `The server of DATABASE_URL cannot be used (${reason instanceof Error ? reason.message : String(reason)}): start it or correct the URL.`,
    );
  } finally {
    await client?.end().catch(() => {});
  }
  if (version < OLDEST_VERSION) {
    throw new DatabaseUrlError(
      `The server of DATABASE_URL is PostgreSQL ${Math.floor(version / 10_000)} and 15 or newer is needed: upgrade it.`,
    );
  }
  return { connection, stop: async () => {} };
}
