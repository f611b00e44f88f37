import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Listener, openListener } from './listen.ts';
import { type LockWait, openWaitWatch, type WaitWatch } from './locks.ts';
import { asUnsent, ServerClient } from './servers/hosts.ts';
import { openPatience, type PatientWork } from './servers/patience.ts';

/** What every feature sees of the database: plain SQL with bound parameters. */
export type Sql = {
  /** Runs one statement and returns its rows. `bigint` arrives as a number (all of ours are below 2^53). */
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A prepared statement: parsed once a connection. For hot paths. */
  prepared<Row extends object = Record<string, unknown>>(
    name: string,
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
};

/** One connection, inside `Db.session` or `Db.transaction`. */
export type Session = Sql & {
  /** `copy … from stdin`: write the rows, end the stream, await its `finish`. */
  copyIn(text: string): Writable;
  /** `copy … to stdout`. */
  copyOut(text: string): Readable;
  /** States how long later statements wait for a lock before `DbConfig.onWait` is called; 1.5 seconds unless stated. */
  reportWaits(afterMs: number): void;
};

export type Db = Sql &
  Listener & {
    /** For probes: what does not wait for a database that is away. */
    atOnce: Sql;
    /** True from the log line that the database is away to the one that it is back. */
    isLossReported: boolean;
    /** Whether the database accepted no connection at some time in the last `ms`, as far as work has noticed. */
    wasAwayWithin(ms: number): boolean;
    /** Work on one connection without a transaction. */
    session<T>(work: (session: Session) => Promise<T>): Promise<T>;
    /** Work on one connection inside a transaction: committed when `work` returns, rolled back when it throws. */
    transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
    /** What it connects to, for a thread that opens connections of its own. */
    connection: pg.ClientConfig;
    /** Connections of their own, for a job runner; the caller ends the pool. */
    openPool(size: number): pg.Pool;
  };

export type DbConfig = {
  /** A libpq-style connection: a URL, or a unix socket folder as `host`. */
  connection: pg.ClientConfig;
  poolSize: number;
  /**
   * The longest that a statement of `query` and `prepared` may take, waiting for locks included; no limit unless given.
   * Sessions and transactions have none.
   */
  statementWithinMs?: number;
  /** Where names of tables are looked for; the server's own setting unless given. */
  searchPath?: string;
  /** How long a statement, session or transaction waits for a database that accepts no connection; not at all unless given. */
  connectWithinMs?: number;
  /** Called when a statement of a session or a transaction has waited for a lock of another connection. */
  onWait?: (wait: LockWait) => void;
};

const REPORT_WAIT_MS = 1_500;

/** A statement whose limit is over for so long has lost its server: a machine that vanishes closes no connection. */
const LOST_AFTER_MS = 1_000;

const INT8 = 20;
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A pool whose connections may be lost at any moment, idle or at work: the query under way fails, the connection leaves
 * the pool, and the process goes on. Nothing connects before the first query. Nothing is compiled: a server of one's own
 * would spend a quarter of a second of it on a statement of a millisecond, where it has no statistics of small tables yet.
 * Set by a statement: PgBouncer rejects settings of a connection's start, and those of a DATABASE_URL replace ours.
 */
function openPool(options: pg.PoolConfig, statementWithinMs = 0, searchPath?: string): pg.Pool {
  const path = searchPath === undefined ? '' : `set search_path = ${searchPath}; `;
  const settings = `set jit = off; ${path}${limitStatements(statementWithinMs)}; select pg_backend_pid() as pid`;
  const onConnect = async (client: pg.ClientBase) => {
    const setting = client.query(settings).catch((error: unknown) => Promise.reject(asUnsent(error)));
    const results = (await setting) as unknown as pg.QueryResult<{ pid: number }>[];
    (client as ServerClient).backendPid = results.at(-1)!.rows[0]!.pid;
  };
  const pool = new pg.Pool({ ...options, Client: ServerClient, onConnect });
  pool.on('error', () => {});
  // The pool itself listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** 0: no limit. */
function limitStatements(withinMs: number): string {
  return `set statement_timeout = ${withinMs}`;
}

/** Connections to a server that is only read, and statements on them. `withinMs`: the longest wait for a connection or a result. */
export function openReadPool(config: DbConfig & { withinMs: number }): { pool: pg.Pool; sql: Sql } {
  const { connection, poolSize: max, statementWithinMs, withinMs } = config;
  const limits = { connectionTimeoutMillis: withinMs, query_timeout: withinMs };
  const pool = openPool({ ...connection, ...limits, types: TYPES, max }, statementWithinMs);
  return { pool, sql: sqlOf(pool) };
}

/** Opens a database over a pool of connections. */
export function openDb(config: DbConfig): Db {
  const limit = config.statementWithinMs;
  const pool = openPool({ ...config.connection, types: TYPES, max: config.poolSize }, limit, config.searchPath);
  const atOnce = sqlOf(pool, limit && limit + LOST_AFTER_MS);
  const { wait, wasAwayWithin } = patienceOf(pool, config.connectWithinMs);
  const listener = openListener(config.connection);
  const watch = config.onWait && openWaitWatch(config.connection, config.onWait);

  async function session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await wait(() => pool.connect());
    let failed = true;
    try {
      if (limit !== undefined) await client.query(limitStatements(0));
      const result = await work(sessionOf(client, watch));
      if (limit !== undefined) await client.query(limitStatements(limit));
      failed = false;
      return result;
    } finally {
      // After a fault the connection may be in the middle of a copy: it is closed, not reused.
      client.release(failed);
    }
  }

  return {
    atOnce,
    isLossReported: false,
    wasAwayWithin,
    query: (text, values) => wait(() => atOnce.query(text, values)),
    prepared: (name, text, values) => wait(() => atOnce.prepared(name, text, values)),
    session,
    transaction: (work) => session((inner) => inTransaction(inner, () => work(inner))),
    ...listener,
    connection: config.connection,
    openPool: (size) => openPool({ ...config.connection, max: size }),
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

function patienceOf(pool: pg.Pool, withinMs: number | undefined): PatientWork {
  if (withinMs === undefined) return { wait: (work) => work(), wasAwayWithin: () => false };
  return openPatience({ connect: async () => (await pool.connect()).release(), withinMs });
}

/** Reads in a session what the database has at one moment. */
export async function inSnapshot<T>(session: Session, work: () => Promise<T>): Promise<T> {
  return await inTransaction(session, work, 'isolation level repeatable read read only');
}

/** Runs work in a transaction of a session: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>, mode = ''): Promise<T> {
  await session.query(`begin ${mode}`);
  try {
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

/** `withinMs`: a server that answers later is lost. */
function sqlOf(queryable: pg.Pool | pg.PoolClient, withinMs?: number): Sql {
  const patience = withinMs === undefined ? {} : { query_timeout: withinMs };
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await queryable.query({ text, values: values as unknown[], ...patience })).rows as Row[],
    prepared: async <Row extends object>(name: string, text: string, values?: readonly unknown[]) =>
      (await queryable.query({ name, text, values: values as unknown[], ...patience })).rows as Row[],
  };
}

function sessionOf(client: pg.PoolClient, watch: WaitWatch = (_pid, _afterMs, statement) => statement()): Session {
  const sql = sqlOf(client);
  const pid = (client as unknown as ServerClient).backendPid;
  let afterMs = REPORT_WAIT_MS;
  return {
    query: (text, values) => watch(pid, afterMs, () => sql.query(text, values)),
    prepared: (name, text, values) => watch(pid, afterMs, () => sql.prepared(name, text, values)),
    copyIn: (text) => client.query(copyFrom(text)),
    copyOut: (text) => client.query(copyTo(text)),
    reportWaits(ms) {
      afterMs = ms;
    },
  };
}
