import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../../src/db/client.ts';
import { runnerLogger } from '../../../src/db/jobs/runner-logger.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

/** The level, the name of the job, whether a stack is there and the text of what one line of the runner becomes. */
function logged(level: 'debug' | 'error' | 'info' | 'warning', message: string, meta: Record<string, unknown>) {
  // One whose loss was not reported before.
  const db = { atOnce: database.db.atOnce, isLossReported: false };
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  // A runner makes the logger of its scope first.
  runnerLogger({ db, log }).scope({ label: 'job' })[level === 'warning' ? 'warn' : level](message, meta);
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

test('a database that is away is reported once by all runners of a process, and so is that it is back', async () => {
  const lines: { msg: string; reason?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const db = openDb({ connection: database.connection, poolSize: 1 });
  const reasons = ['connect ECONNREFUSED 127.0.0.1:5432', 'Connection terminated unexpectedly'];
  const runners = [runnerLogger({ db, log }), runnerLogger({ db, log })];
  for (let round = 0; round < 2; round++) {
    for (const [n, runner] of runners.entries())
      for (let more = 0; more < 5; more++)
        runner.error('Error with notify listener', { error: withCode(reasons[n]!, 'ECONNREFUSED') });
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
    expect(lines.splice(0)).toMatchObject([
      { reason: reasons[0], msg: 'the job runner cannot use the database and tries again' },
      { msg: 'the database answers the job runner again' },
    ]);
  }
  await db.close();
});
