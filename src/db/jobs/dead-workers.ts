import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Db } from '../client.ts';
import { isFree } from '../listen.ts';
import { isConnectionLoss } from '../servers/connection-loss.ts';

/** Events for a job runner: the names of its workers are locked while they live. */
export function holdWorkers(db: Db): WorkerEvents {
  const events = new EventEmitter() as WorkerEvents;
  events.on('worker:create', ({ worker }) => void db.hold(worker.workerId));
  events.on('worker:fatalError', ({ worker }) => void db.letGo(worker.workerId));
  return events;
}

/**
 * Until it is stopped, frees the jobs that workers which are gone had begun: graphile-worker waits four hours. Gone is a worker
 * whose name was not locked in so many looks, one after the other: one that lives may lose its connection for a moment.
 */
export function freeDeadWorkers(
  { db, log }: { db: Db; log: Logger },
  { tasks, everyMs, looks }: { tasks: readonly string[]; everyMs: number; looks: number },
): { stop(): void } {
  /** How often each was found gone. */
  let gone = new Map<string, number>();

  async function look(): Promise<void> {
    const before = gone;
    // A look that fails is a new beginning: others may have lost their connections too.
    gone = new Map();
    const free = await db.atOnce.query<{ worker: string }>(
      `select distinct locked_by as worker from graphile_worker.jobs
       where task_identifier = any($1) and locked_by is not null and ${isFree('locked_by')}`,
      [tasks],
    );
    gone = new Map(free.map(({ worker }) => [worker, (before.get(worker) ?? 0) + 1]));
    const dead = [...gone.keys()].filter((worker) => gone.get(worker)! >= looks);
    if (dead.length === 0) return;
    await db.atOnce.query(`select graphile_worker.force_unlock_workers($1), ${nudge('$2::int')}`, [dead, dead.length]);
    log.info({ workers: dead }, 'jobs of workers that are gone are run again');
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  /** One look after the other, however long one takes. */
  async function sweep(): Promise<void> {
    await look().catch((error: Error) => {
      // The job runner itself says that the database is away.
      if (!isConnectionLoss(error)) log.warn({ err: error }, 'jobs of workers that are gone cannot be freed');
    });
    if (!stopped) timer = setTimeout(() => void sweep(), everyMs).unref();
  }
  void sweep();

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** SQL that wakes idle workers as a new job does; graphile-worker has no call for it. */
export function nudge(count: string): string {
  return `pg_notify('jobs:insert', '{"count":' || ${count} || '}')`;
}
