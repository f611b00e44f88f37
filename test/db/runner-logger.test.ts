import { pino } from 'pino';
import { expect, test } from 'vitest';
import { runnerLogger } from '../../src/db/runner-logger.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

/** The level, the name of the job, whether a stack is there and the text of what one line of the runner becomes. */
function logged(level: 'debug' | 'error' | 'info' | 'warning', message: string, meta: Record<string, unknown>) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  // A runner makes the logger of its scope first.
  runnerLogger(log).scope({ label: 'job' })[level === 'warning' ? 'warn' : level](message, meta);
  expect(lines.length).toBe(1);
  const { level: number, job, err, reason, msg } = JSON.parse(lines[0]!);
  return { level: pino.levels.labels[number], job, hasStack: err?.stack !== undefined, reason, msg };
}

test.each([
  ['terminated', withCode('terminating connection due to administrator command', '57P01')],
  ['starting', withCode('the database system is starting up', '57P03')],
  ['away', withCode('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED')],
  ['lost by the driver', new Error('Connection terminated unexpectedly')],
  ['full', withCode('could not extend file: No space left on device', '53100')],
])('a database that is %s is a warning without a stack', (_, error) => {
  const line = logged('error', `Error with notify listener (trying again in 131ms): ${error.message}`, { error });
  const msg = 'the job runner cannot use the database and tries again';
  expect(line).toEqual({ level: 'warn', job: undefined, hasStack: false, reason: error.message, msg });
});

test('another fault of a job is an error with its stack and the name of the job', () => {
  const job = { task_identifier: 'value_cert' };
  const line = logged('error', 'Failed task 7 (value_cert):\nstack', { job, error: new Error('no such grader') });
  expect(line).toMatchObject({ level: 'error', job: 'value_cert', hasStack: true, msg: 'Failed task 7 (value_cert)' });
});

test('that it looks for jobs, and that one went well or was aborted, is for debugging', () => {
  expect(logged('info', 'Worker connected and looking for jobs...', {}).level).toBe('debug');
  const aborted = Object.assign(new Error('stopped'), { name: 'AbortError' });
  expect(logged('info', 'Completed task 7', { success: true }).level).toBe('debug');
  expect(logged('error', 'Failed task 7', { error: aborted }).level).toBe('debug');
  expect(logged('warning', 'Something', {}).level).toBe('warn');
});
