import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './client.ts';
import { newClient, type ServerConnection } from './servers/hosts.ts';

/**
 * What one process at a time does, over all that share the database, by the keys that earlier versions use too: they may
 * run at the same time during an upgrade. A watched folder has a lock of its own.
 */
const KEYS = {
  migrate: '7264891',
  reprice: '714002',
  indices: '714003',
  scratch: '714004',
  vectors: '7264914',
  backup: '714005',
  bulk: '714006',
  catalog: '714007',
  tags: `hashtext('derive_tags')`,
  ledger: `hashtext('mintmark ledger')`,
  intake: `hashtext('mintmark intake')`,
} as const;
type Lock = keyof typeof KEYS;

/** What each lock is for, in the words of an operator. */
const SUBJECTS: Record<Lock, string> = {
  migrate: 'migrations',
  reprice: 'closing days',
  indices: 'closing indices',
  scratch: 'the scratch database',
  vectors: 'stored vectors',
  backup: 'backups',
  bulk: 'bulk files',
  catalog: 'catalog imports',
  tags: 'tags',
  ledger: 'the ledger',
  intake: 'forms',
};

/** A statement that waits for a lock of another connection. */
export type LockWait = {
  waitsFor: string;
  /** PostgreSQL's process id of the connection that has the lock, and what it calls itself. */
  holderPid: number;
  holder: string | null;
  /** Of its transaction, if it is in one: then it cannot have the lock for longer. */
  inTransactionSince: Date | null;
  connectedSince: Date;
};

/** SQL: which of them a row `w` of pg_locks is; null for a lock of PostgreSQL's own. */
const LOCK_OF = `case when w.locktype = 'advisory' then case w.classid::bigint << 32 | w.objid::bigint
  ${Object.entries(KEYS)
    .map(([lock, key]) => `when ${key}::bigint then '${lock}'`)
    .join(' ')} end end`;

/** Waits for the lock and runs the work; after a fault `Db.session` closes the connection, which unlocks too. */
export async function withLock<T>(session: Session, lock: Lock, work: () => Promise<T>): Promise<T> {
  await session.query(`select pg_advisory_lock(${KEYS[lock]})`);
  const result = await work();
  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);
  return result;
}

/** Runs the work unless another process has the lock: then it returns null. */
export async function tryWithLock<T>(session: Session, lock: Lock, work: () => Promise<T>): Promise<T | null> {
  const [row] = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock(${KEYS[lock]}) as taken`);
  if (!row!.taken) return null;
  const result = await work();
  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);
  return result;
}

/** SQL: a process has the lock. Unlike an attempt to take it, this is in nobody's way. */
export function isLocked(lock: 'backup' | 'reprice'): string {
  return `exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${KEYS[lock]}
    and database = (select oid from pg_database where datname = current_database()))`;
}

/** Waits for the lock and keeps it until the transaction ends. */
export async function lockTransaction(session: Session, lock: Lock): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${KEYS[lock]})`);
}

/** The wait as a sentence for the person at the terminal. */
export function sentenceOfWait({ waitsFor, holder, holderPid, inTransactionSince, connectedSince }: LockWait): string {
  const since =
    inTransactionSince === null
      ? `connected since ${secondOf(connectedSince)}`
      : `in a transaction since ${secondOf(inTransactionSince)}`;
  return `waiting for ${waitsFor}: ${holder ?? 'another program'} has it (PostgreSQL process ${holderPid}, ${since}). This goes on when it is free.`;
}

function secondOf(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The same holder is not reported again within this time: an import waits for another one batch by batch. */
const REPORT_AGAIN_MS = 60_000;
const CHECK_WITHIN_MS = 5_000;

/** What runs a statement of the backend `pid` and reports, once, that it has waited for a lock for `afterMs`. */
export type WaitWatch = <T>(pid: number, afterMs: number, statement: () => Promise<T>) => Promise<T>;

/** Watches for waits. It opens a connection for a statement that takes so long, and none otherwise. */
export function openWaitWatch(connection: ServerConnection, onWait: (wait: LockWait) => void): WaitWatch {
  let last = { key: '', atMs: 0 };

  async function check(pid: number, isOver: () => boolean): Promise<void> {
    const wait = await readWait(connection, pid);
    if (wait === null || isOver()) return;
    const key = `${wait.waitsFor} ${wait.holderPid}`;
    const nowMs = Date.now();
    if (key === last.key && nowMs - last.atMs < REPORT_AGAIN_MS) return;
    last = { key, atMs: nowMs };
    onWait(wait);
  }

  return async (pid, afterMs, statement) => {
    let isOver = false;
    // A check that cannot connect does not fail the statement.
    const timer = setTimeout(() => void check(pid, () => isOver).catch(() => {}), afterMs).unref();
    try {
      return await statement();
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  };
}

/** On a connection of its own: those of the pool may all be waiting. Of several blockers, one that has the lock. */
async function readWait(connection: ServerConnection, pid: number): Promise<LockWait | null> {
  const client = newClient({ ...connection, connectionTimeoutMillis: CHECK_WITHIN_MS, query_timeout: CHECK_WITHIN_MS });
  try {
    await client.connect();
    const { rows } = await client.query<
      Omit<LockWait, 'waitsFor'> & { lock: Lock | null; kind: string; table: string | null }
    >(
      `select ${LOCK_OF} as lock, w.locktype as kind, w.relation::regclass::text as table, b.pid as "holderPid",
         nullif(a.application_name, '') as holder, a.xact_start as "inTransactionSince", a.backend_start as "connectedSince"
       from pg_locks w cross join unnest(pg_blocking_pids($1)) as b(pid) join pg_stat_activity a on a.pid = b.pid
       left join pg_locks h on h.pid = b.pid and h.granted and (h.locktype, h.database, h.relation, h.classid, h.objid,
         h.objsubid, h.transactionid) is not distinct from (w.locktype, w.database, w.relation, w.classid, w.objid,
         w.objsubid, w.transactionid)
       where w.pid = $1 and not w.granted and a.backend_start is not null order by h.pid is null, a.backend_start limit 1`,
      [pid],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { lock, kind, table, ...wait } = row;
    const other = kind === 'advisory' ? 'a lock' : 'rows that are being changed';
    const waitsFor = lock !== null ? `the lock of ${SUBJECTS[lock]}` : table !== null ? `table ${table}` : other;
    return { waitsFor, ...wait };
  } finally {
    void client.end().catch(() => {});
  }
}

const CANCEL_EVERY_MS = 100;

/**
 * SQL: a row `a` of pg_stat_activity whose reads may be canceled. Connections of older programs have no name; where they
 * import, close or back up, they have a lock of `KEYS`.
 */
const CANCELABLE = `(a.application_name in ('mintmark serve', 'mintmark worker') or a.application_name = ''
  and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'))`;

/**
 * Cancels statements of `serve` and `worker` that only read and that the backend `pid` has waited for `afterMs`, until the
 * returned function is called. Nothing is lost: a request is answered with 503, a job is run again. Connected first: on a
 * busy machine that takes longer than the wait.
 */
export async function cancelReadsBefore(
  connection: ServerConnection,
  pid: number,
  afterMs: number,
): Promise<() => void> {
  const stop = new AbortController();
  const client = newClient({ ...connection, connectionTimeoutMillis: CHECK_WITHIN_MS, query_timeout: CHECK_WITHIN_MS });
  async function cancel(): Promise<void> {
    await sleep(afterMs, null, { signal: stop.signal });
    while (!stop.signal.aborted) {
      // What has written has a transaction id.
      await client.query(
        `select pg_cancel_backend(a.pid) from pg_stat_activity a
         where a.pid = any(pg_blocking_pids($1)) and a.backend_xid is null and ${CANCELABLE}`,
        [pid],
      );
      await sleep(CANCEL_EVERY_MS, null, { signal: stop.signal });
    }
  }
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  );
  // What fails here leaves the wait as it was.
  const canceling = isConnected ? cancel().catch(() => {}) : Promise.resolve();
  void canceling.then(() => client.end()).catch(() => {});
  return () => stop.abort();
}
