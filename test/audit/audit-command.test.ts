import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';
import { aSwappedCard } from './world.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await aSwappedCard(database.db);
});
afterAll(() => database.close());

const run = (...args: string[]) => runProgram(['audit', ...args], { DATABASE_URL: databaseUrlOf(database.connection) });

test('audits, lists, decides with a reason, and takes back', async () => {
  const first = await run();
  expect(first.code).toBe(0);
  expect(first.printed).toMatch(/^suspects: 1, new: 1, gone: 0, with prices withheld: 1\nid +kind/);
  const again = JSON.parse((await run('--json')).printed);
  expect(again).toMatchObject({
    found: 1,
    added: 0,
    withheld: 1,
    suspects: [{ kind: 'swapped_siblings', state: 'open' }],
  });
  const id = String(again.suspects[0].id);
  expect(await run('decide', id, 'right')).toMatchObject({ code: 2, printed: '' });
  expect((await run('decide', id, 'fine', '--why', 'x')).errors).toContain('a verdict is right or wrong');
  expect((await run('decide', 'x', 'right', '--why', 'x')).errors).toContain('is not the id of a suspect');
  const decided = await run('decide', id, 'wrong', '--why', 'the ids are swapped', '--by', 'ada');
  expect(decided.printed).toBe(`suspect ${id} is wrong: its prices stay withheld\n`);
  expect((await run('list', '--state', 'open')).printed).toBe('nothing is suspect\n');
  expect((await run('decide', id, 'right', '--why', 'x')).errors).toContain('decided already');
  expect((await run('undo', id)).printed).toMatch(/^decision \d+ is taken back: suspect \d+ is open again\n$/);
  expect((await run('undo', id)).errors).toContain('is not decided');
  expect(JSON.parse((await run('list', '--json')).printed).suspects).toMatchObject([{ state: 'open', decision: null }]);
}, 120_000);
