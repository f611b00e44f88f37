import { Logger as RunnerLogger } from 'graphile-worker';
import type { Logger } from 'pino';

/**
 * The lines of a job runner in the one log. That a job went well or was aborted is for debugging: it logs what it did
 * itself.
 */
export function runnerLogger(log: Logger): RunnerLogger {
  return new RunnerLogger(() => (level, message, { job, error, success } = {}) => {
    const fault = error instanceof Error ? error : null;
    const isUsual = success === true || fault?.name === 'AbortError';
    const as = isUsual ? 'debug' : level === 'warning' ? 'warn' : level;
    const { task_identifier: name } = (job ?? {}) as { task_identifier?: string };
    const [line = message] = message.split(':\n');
    log[as]({ job: name, ...(fault === null ? {} : { err: fault }) }, line);
  });
}
