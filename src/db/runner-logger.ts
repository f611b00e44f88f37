import { Logger as RunnerLogger } from 'graphile-worker';
import type { Logger } from 'pino';
import { isConnectionLoss } from './servers/connection-loss.ts';

/**
 * The lines of a job runner in the one log. That it looks for jobs, and that one went well or was aborted, is for debugging: a job
 * logs itself what it did. A database that is away or full is a warning without a stack: the runner tries again.
 */
export function runnerLogger(log: Logger): RunnerLogger {
  return new RunnerLogger(() => (level, message, { job, error, success } = {}) => {
    const fault = error instanceof Error ? error : null;
    const { task_identifier: name } = (job ?? {}) as { task_identifier?: string };
    const [line = message] = message.split(':\n');
    if (fault !== null && isConnectionLoss(fault)) {
      log.warn({ job: name, reason: fault.message }, 'the job runner cannot use the database and tries again');
      return;
    }
    const isUsual = level === 'info' || success === true || fault?.name === 'AbortError';
    const as = isUsual ? 'debug' : level === 'warning' ? 'warn' : level;
    log[as]({ job: name, ...(fault === null ? {} : { err: fault }) }, line);
  });
}
