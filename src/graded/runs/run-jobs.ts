import { setTimeout as sleep } from 'node:timers/promises';
import { type JobHelpers, runMigrations, runTaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { ReadCert } from '../../catalog/cert.ts';
import type { Db } from '../../db/client.ts';
import { freeDeadWorkers, holdWorkers, nudge } from '../../db/jobs/dead-workers.ts';
import { runnerLogger } from '../../db/jobs/runner-logger.ts';
import { isFree } from '../../db/listen.ts';
import { withLock } from '../../db/locks.ts';
import type { GradedLookup } from '../shapes.ts';
import { addEvent, dropOldEvents, type RunEvent, readEvents } from './run-events.ts';
import { inOrder, type RunProgress } from './stages.ts';

export type RunsWorld = {
  db: Db;
  log: Logger;
  value(cert: ReadCert, signal: AbortSignal): AsyncGenerator<RunProgress, GradedLookup>;
  /** The answer for a valuation that fails, or that processes died of. */
  givenUp(cert: ReadCert): Promise<GradedLookup>;
};

const TASK = 'value_cert';
/** NOTIFY of a run that is to stop: its id. */
const STOP_CHANNEL = 'valuation_stops';
const AT_ONCE = 20;
/** For retries only: new jobs and freed ones are notified. */
const POLL_MS = 5000;
/** A run is given up after this many processes died of it. */
const MAX_ATTEMPTS = 4;
const [STOPPED, HANDED_OVER] = [
  new DOMException('stopped', 'AbortError'),
  new DOMException('handed over', 'AbortError'),
];

/** Opens the valuations of this process: jobs whose id is the id of the run, and whose key is the cert. */
export async function openRunJobs(world: RunsWorld, sweepMs: number) {
  const { db, log, givenUp } = world;
  const running = new Map<number, AbortController>();
  const handedOver: number[] = [];
  let closed = false;

  async function runJob(payload: unknown, { job }: JobHelpers): Promise<void> {
    const cert = payload as ReadCert;
    const runId = Number(job.id);
    const control = new AbortController();
    const { signal } = control;
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    aborted.catch(() => {});
    running.set(runId, control);
    if (closed) control.abort(HANDED_OVER);
    try {
      await Promise.race([aborted, drive(cert, { runId, attempts: job.attempts }, control)]);
      void dropOldEvents(db).catch(() => {});
    } catch (error) {
      if (error === STOPPED) return;
      if (error === HANDED_OVER) handedOver.push(runId);
      else await databaseAnswers();
      throw error;
    } finally {
      running.delete(runId);
      control.abort();
    }
  }

  async function drive(
    cert: ReadCert,
    { runId, attempts }: { runId: number; attempts: number },
    control: AbortController,
  ): Promise<void> {
    const { signal } = control;
    const before = attempts === 1 ? [] : await readEvents(db, runId);
    const last = before.at(-1);
    if (last?.name === 'result') return;
    let place = before.length;
    let written = Promise.resolve();
    // The run does not wait until an event is written, but the events are written one after the other.
    const add = (name: RunEvent['name'], body: unknown) => {
      const event = { runId, place: place++, name, data: JSON.stringify(body) };
      written = written.then(() => {
        signal.throwIfAborted();
        return addEvent(db, keyOf(cert), event);
      });
      written.catch((error: unknown) => control.abort(error));
    };
    const outcome = async () => {
      if (attempts > MAX_ATTEMPTS) return givenUp(cert);
      try {
        const after = last && (JSON.parse(last.data) as RunProgress);
        const steps = inOrder(world.value(cert, signal), after);
        while (true) {
          const step = await steps.next();
          signal.throwIfAborted();
          if (step.done) return step.value;
          add('progress', step.value);
        }
      } catch (error) {
        if (signal.aborted) throw error;
        log.error({ err: error, cert: cert.cert }, 'a valuation failed');
        return givenUp(cert);
      }
    };
    add('result', await outcome());
    await written;
  }

  /** Waits for a lost connection: a worker that cannot report how its job ended must not take another. */
  async function databaseAnswers(): Promise<void> {
    while (!closed) {
      if (await db.query('select 1').then(Boolean, () => false)) return;
      await sleep(1000, undefined, { ref: false });
    }
  }

  const pool = db.openPool(3);
  const logger = runnerLogger(world);
  await db.session((session) => withLock(session, 'migrate', () => runMigrations({ pgPool: pool, logger })));
  await db.listen(STOP_CHANNEL, (runId) => running.get(Number(runId))?.abort(STOPPED));
  const workers = runTaskList(
    { concurrency: AT_ONCE, pollInterval: POLL_MS, noHandleSignals: true, events: holdWorkers(db), logger },
    { [TASK]: runJob },
    pool,
  );

  const sweep = freeDeadWorkers({ db, log }, { tasks: [TASK], everyMs: sweepMs, looks: 2 });

  return {
    /** The run of the cert that is under way, or a new one. */
    async begin(cert: ReadCert): Promise<number> {
      const [job] = await db.prepared<{ id: number }>(
        'run_begin',
        // While another process reads the job here it is locked, and workers skip it.
        `select id, case when revision > 0 then ${nudge('1')} end
         from graphile_worker.add_job('${TASK}', $1, job_key => $2, job_key_mode => 'unsafe_dedupe')`,
        [JSON.stringify(cert), keyOf(cert)],
      );
      return job!.id;
    },
    async isUnderWay(runId: number): Promise<boolean> {
      const jobs = await db.prepared(
        'run_job',
        'select 1 from graphile_worker.jobs where id = $1 and key is not null',
        [runId],
      );
      return jobs.length > 0;
    },
    /** Stops the run of a cert unless a process has locked its key, since it is watched there. */
    async stop(cert: ReadCert): Promise<void> {
      await db.query(
        `select pg_notify('${STOP_CHANNEL}', job.id::text)
         from graphile_worker.remove_job(case when ${isFree('$1')} then $1 end) as job where job.id is not null`,
        [keyOf(cert)],
      );
    },
    /** Other processes go on with what runs here. */
    async close(): Promise<void> {
      closed = true;
      sweep.stop();
      for (const control of running.values()) control.abort(HANDED_OVER);
      await workers.gracefulShutdown();
      // Without this their retries would wait for seconds.
      await db.query(
        `select ${nudge('count(*)')} from graphile_worker.reschedule_jobs($1::bigint[], run_at => now())`,
        [handedOver],
      );
      await pool.end();
    },
  };
}

export function keyOf({ company, key }: ReadCert): string {
  return `valuation ${company} ${key}`;
}
