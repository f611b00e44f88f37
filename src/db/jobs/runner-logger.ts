import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as RunnerLogger } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Db } from '../client.ts';
import { isConnectionLoss } from '../servers/connection-loss.ts';

type World = { db: Pick<Db, 'atOnce' | 'isLossReported'>; log: Logger };

const LOOK_AGAIN_MS = 1_000;

/**
 * The lines of a job runner in the one log. That it looks for jobs, and that one went well or was aborted, is for debugging: a job
 * logs itself what it did. A database that is away or full is a warning without a stack: the runner tries again.
 */
export function runnerLogger({ db, log }: World): RunnerLogger {
  return new RunnerLogger(() => (level, message, { job, error, success } = {}) => {
    const fault = error instanceof Error ? error : null;
    const { task_identifier: name } = (job ?? {}) as { task_identifier?: string };
    const [line = message] = message.split(':\n');
    if (fault !== null && isConnectionLoss(fault)) {
      void reportLoss({ db, log }, fault.message);
      return;
    }
    const isUsual = level === 'info' || success === true || fault?.name === 'AbortError';
    const as = isUsual ? 'debug' : level === 'warning' ? 'warn' : level;
    log[as]({ job: name, ...(fault === null ? {} : { err: fault }) }, line);
  });
}

/** Logs that the database is away, and that it is back: once, however many workers of this process notice. */
async function reportLoss({ db, log }: World, reason: string): Promise<void> {
  if (db.isLossReported) return;
  db.isLossReported = true;
  log.warn({ reason }, 'the job runner cannot use the database and tries again');
  const answers = () => db.atOnce.query('select 1').then(Boolean, () => false);
  do await sleep(LOOK_AGAIN_MS, null, { ref: false });
  while (!(await answers()));
  db.isLossReported = false;
  log.info('the database answers the job runner again');
}
