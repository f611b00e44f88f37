import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { openReplica, primaryState, problemOf, type Replica } from '../db/servers/replica.ts';
import { type Finding, ok, warn } from './finding.ts';

/** A healthy replica is not further behind than this while nothing heavy is written. */
const BEHIND_BYTES = 16 * 2 ** 20;
const STATEMENT_WITHIN_MS = 2_000;

/** Checks that each server of READ_DATABASE_URLS answers, replays the log of the primary, and how far behind it is. */
export async function replicas(db: Db, { readDatabaseUrls }: Config): Promise<Finding[]> {
  const opened = readDatabaseUrls.map((url) =>
    openReplica({ url, poolSize: 1, statementWithinMs: STATEMENT_WITHIN_MS }),
  );
  await Promise.all(opened.map((replica) => replica.ask()));
  const primary = await primaryState(db);
  await Promise.all(opened.map((replica) => replica.close()));
  return opened.map((replica) => findingOf(replica, primary));
}

function findingOf(replica: Replica, { position, database }: Awaited<ReturnType<typeof primaryState>>): Finding {
  const { name, position: replayed } = replica;
  const problem = problemOf(replica, database);
  if (replayed === null || problem !== null)
    return warn(
      `the replica ${name} cannot be used: ${problem}`,
      'the primary answers its reads; start it, correct READ_DATABASE_URLS, or take it out',
    );
  const megabytes = Math.max(0, position - replayed) / 2 ** 20;
  const what = `the replica ${name} is ${megabytes.toFixed(1)} MB of the log behind`;
  if (position - replayed <= BEHIND_BYTES) return ok(what);
  return warn(what, 'pg_stat_replication on the primary and the log of the replica say what holds it up');
}
