import { randomInt } from 'node:crypto';
import type { Db, Sql } from '../client.ts';
import { openPositions } from './positions.ts';
import { repeat } from './repeat.ts';
import { openReplica, primaryState, problemOf, type Replica } from './replica.ts';

/** How one replica does, as metrics and the log show it. */
type ReplicaState = {
  name: string;
  /** The reads of this process go to it. */
  isUsed: boolean;
  /** At most so far behind the primary; null: not known, or longer than anything noted. */
  lagMs: number | null;
  problem: string | null;
};

/** Statements that only read: by a replica that is fresh enough, else by the primary. */
export type Reads = Sql & {
  /** What was published has changed: from now on only what has the change too may answer. */
  changed(): void;
  states(): ReplicaState[];
  /** Statements answered so far. */
  counts(): { replica: number; primary: number };
  close(): Promise<void>;
};

type ReadsOptions = {
  urls: readonly string[];
  /** A replica that is further behind is not used. */
  lagSeconds: number;
  poolSize: number;
  statementWithinMs: number;
  log: { info(message: string): void };
  monotonicMs?: () => number;
  /** The replica that is tried first: processes spread. */
  first?: number;
};

const ASK_MS = 500;
/** How long ago a position is still known, in multiples of the lag that is allowed. */
const KEPT_LAGS = 10;
/** SQLSTATE of a statement that took too long: it would on the primary, too. */
const TOO_LONG = '57014';

/**
 * Opens replicas of a database. One of them answers as long as it is fresh enough: within one process reads do not go
 * back and forth between servers. Fresh enough is a replica that has replayed everything up to where the primary was
 * after the last `changed`, and that is not further behind than `lagSeconds` as of the last answer of the primary: while the
 * primary is away, replicas go on. A statement that fails on a replica is done once more by the primary.
 */
export function openReads(db: Db, options: ReadsOptions): Reads {
  const { urls, lagSeconds, poolSize, statementWithinMs, log, monotonicMs = () => performance.now() } = options;
  const opened = urls.map((url) => openReplica({ url, poolSize, statementWithinMs }));
  const first = (options.first ?? randomInt(1 << 16)) % opened.length;
  const replicas = [...opened.slice(first), ...opened.slice(0, first)];
  const lagLimitMs = lagSeconds * 1000;
  const positions = openPositions(lagLimitMs * KEPT_LAGS);
  const counts = { replica: 0, primary: 0 };
  let changes = 0;
  /** What every answer has to have; null: not known yet, the primary alone answers. */
  let floor: number | null = null;
  /** The primary's; null: it was not asked yet. */
  let database: string | null = null;
  let used: Replica | null = null;
  let logged: string | null = null;

  /** Why a replica may not answer now; null: it may. */
  function doubtOf(replica: Replica): string | null {
    const { position } = replica;
    if (floor === null || database === null)
      return 'the position of the primary after the last change is not known yet';
    if (position === null || problemOf(replica, database) !== null) return problemOf(replica, database);
    if (position < floor) return 'it has not replayed the last change';
    return positions.lagMs(position) <= lagLimitMs ? null : 'it is too far behind';
  }

  function choose(): Replica | null {
    if (used === null || doubtOf(used) !== null) used = replicas.find((one) => doubtOf(one) === null) ?? null;
    return used;
  }

  async function askPrimary(): Promise<void> {
    const asked = { atMs: monotonicMs(), changes };
    const primary = await primaryState(db.atOnce).catch(() => null);
    if (primary === null) return;
    database = primary.database;
    positions.note(asked.atMs, primary.position);
    // What changed after the question may not be in the answer.
    if (floor === null && asked.changes === changes) floor = primary.position;
    logChoice();
  }

  function logChoice(): void {
    const chosen = choose();
    const name = chosen?.name ?? 'the primary';
    const why = replicas.map((one) => `${one.name}: ${doubtOf(one)}`).join('; ');
    if (logged !== name) log.info(`reads are answered by ${name}${chosen === null ? ` (${why})` : ''}`);
    logged = name;
  }

  async function read<Row extends object>(statement: (sql: Sql) => Promise<Row[]>): Promise<Row[]> {
    const replica = choose();
    if (replica !== null) {
      try {
        const rows = await statement(replica.sql);
        counts.replica++;
        return rows;
      } catch (error) {
        if ((error as { code?: string }).code === TOO_LONG) throw error;
        replica.failed(error);
      }
    }
    counts.primary++;
    return await statement(db);
  }

  const repeated = [
    repeat(ASK_MS, askPrimary),
    ...replicas.map((replica) =>
      repeat(ASK_MS, async () => {
        await replica.ask();
        logChoice();
      }),
    ),
  ];

  return {
    query: (text, values) => read((sql) => sql.query(text, values)),
    prepared: (name, text, values) => read((sql) => sql.prepared(name, text, values)),
    changed() {
      changes++;
      floor = null;
      for (const one of repeated) one.now();
    },
    states: () =>
      opened.map((replica) => {
        const { name, position } = replica;
        const problem = database === null ? replica.problem : problemOf(replica, database);
        const lagMs = position === null || problem !== null ? Number.POSITIVE_INFINITY : positions.lagMs(position);
        return { name, isUsed: choose() === replica, lagMs: Number.isFinite(lagMs) ? lagMs : null, problem };
      }),
    counts: () => ({ ...counts }),
    async close() {
      for (const one of repeated) one.stop();
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}
