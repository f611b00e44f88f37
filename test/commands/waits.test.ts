import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLock } from '../../src/db/locks.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, freePort, runProgram, startProgram } from '../support/program.ts';

const dataDir = folderOfRun();
let database: FreshDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await freshDatabase();
  env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: dataDir, PORT: String(await freePort()) };
});
afterAll(() => database.close());

test('a command that waits for another one says so in a sentence; one that does not wait prints nothing', async () => {
  const first = await database.db.session((session) =>
    withLock(session, 'migrate', async () => {
      const holder = startProgram(['import', 'rates', '/nonexistent'], env);
      await expect.poll(holder.errors).toContain('waiting for');
      const next = startProgram(['keys', 'list'], env);
      await expect.poll(next.errors).toContain('waiting for');
      const [backend] = await database.db.query<{ name: string }>(
        `select application_name as name from pg_stat_activity where application_name = 'mintmark import rates' and wait_event_type = 'Lock'`,
      );
      expect(backend).toBeDefined();
      return next;
    }),
  );
  expect(await first.ended).toBe(0);
  expect(first.errors()).toMatch(
    /^mintmark: waiting for the lock of migrations: another program has it \(PostgreSQL process \d+, connected since [-\dT:]+Z\)\. This goes on when it is free\.\n$/,
  );
  expect((await runProgram(['keys', 'list'], env)).errors).toBe('');
});

test.each(['serve', 'worker'])('of %s it is a line of the log', async (command) => {
  const program = await database.db.session((session) =>
    withLock(session, 'migrate', async () => {
      const started = startProgram([command], env);
      await expect.poll(started.errors).toContain('waiting for a lock');
      return started;
    }),
  );
  await expect.poll(program.errors).toMatch(/"msg":"(serving|working)"/);
  program.kill();
  await program.ended;
  const lines = program.errors().trim().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; waitsFor?: string });
  expect(logged.find(({ msg }) => msg === 'waiting for a lock')).toMatchObject({
    level: 40,
    waitsFor: 'the lock of migrations',
  });
});
