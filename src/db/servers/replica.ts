import type pg from 'pg';
import { openReadPool, type Sql } from '../client.ts';
import { endOfRecords } from './positions.ts';

/** A server that replays the log of the primary. */
export type Replica = {
  /** Host and port: a URL may contain a password. */
  name: string;
  sql: Sql;
  /** How far it had replayed the log when it was last asked; null: not known, or it replays none. */
  position: number | null;
  /** Which database it has, as `primaryState` says it. */
  database: string | null;
  /** Why the position is not known. */
  problem: string | null;
  /** Asks for the position. */
  ask(): Promise<void>;
  /** A statement has failed. Unless the server lives on, its position is not known until the next `ask`. */
  failed(error: unknown): void;
  close(): Promise<void>;
};

type ReplicaOptions = { url: string; poolSize: number; statementWithinMs: number };

/** A server that answers later is taken for lost; the limit of statements counts before. */
const PATIENCE_MS = 1_000;
/** SQLSTATEs of a replica that lives on: a write, and what its replay was in the way of. */
const LIVES_ON = ['25006', '40001', '40P01'];

/** Opens a replica; nothing connects before the first `ask`. */
export function openReplica({ url, poolSize, statementWithinMs }: ReplicaOptions): Replica {
  const connection: pg.ClientConfig = { connectionString: url };
  const withinMs = statementWithinMs + PATIENCE_MS;
  const { pool, sql } = openReadPool({ connection, poolSize, statementWithinMs, withinMs });
  const { pool: asking } = openReadPool({ connection, poolSize: 1, withinMs });
  let isPooled = true;

  const replica: Replica = {
    name: nameOf(url),
    sql: {
      query: sql.query,
      // Of a pooler, each statement may get another connection: one that does not know the name.
      prepared: (name, text, values) => (isPooled ? sql.query(text, values) : sql.prepared(name, text, values)),
    },
    position: null,
    database: null,
    problem: null,
    async ask() {
      try {
        const asked = await ask(asking);
        isPooled = asked.isPooled;
        replica.position = asked.position;
        replica.database = asked.database;
        replica.problem = asked.position === null ? 'it is not a replica' : null;
      } catch (error) {
        lose(error);
      }
    },
    failed(error) {
      if (!LIVES_ON.includes((error as { code?: string }).code ?? '')) lose(error);
    },
    async close() {
      await Promise.all([pool.end(), asking.end()]);
    },
  };

  function lose(error: unknown): void {
    replica.position = null;
    replica.problem = error instanceof Error ? error.message || error.name : String(error);
  }

  // A server that starts again after a crash may have less than before.
  for (const one of [pool, asking]) one.on('error', lose);
  return replica;
}

/** SQL: the same on a primary and its replicas, and another for every other database. */
const DATABASE = `(select system_identifier from pg_control_system()) || '.' ||
  (select oid from pg_database where datname = current_database())`;

async function ask(pool: pg.Pool): Promise<{ position: number | null; database: string; isPooled: boolean }> {
  const client = await pool.connect();
  let failed = true;
  try {
    const { rows } = await client.query<{ position: number | null; database: string; pid: number }>(
      `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position,
         ${DATABASE} as database, pg_backend_pid() as pid`,
    );
    failed = false;
    const { position, database, pid } = rows[0]!;
    // A pooler names itself to its clients.
    return { position, database, isPooled: pid !== (client as pg.PoolClient & { processID: number }).processID };
  } finally {
    client.release(failed);
  }
}

/** Where the log of the primary is, and which database it is. */
export async function primaryState(sql: Sql): Promise<{ position: number; database: string }> {
  const [row] = await sql.query<{ position: number; database: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position, ${DATABASE} as database`,
  );
  return { position: endOfRecords(row!.position), database: row!.database };
}

/** Why the replica cannot answer for a database; null: it can, where it is fresh enough. */
export function problemOf(replica: Replica, database: string): string | null {
  if (replica.position === null) return replica.problem;
  return replica.database === database ? null : 'it is a replica of another database';
}

function nameOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}
