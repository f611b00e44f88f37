import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram, startProgram } from '../support/program.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

const settings = () => ({ DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: folderOfRun() });

test('mintmark desk prints a link that opens its pages with their styles once, and ends by a signal', async () => {
  const program = startProgram(['desk', '--json', '--by', 'ada'], settings());
  await expect.poll(() => program.printed(), { timeout: 30_000 }).toContain('}');
  const { url } = JSON.parse(program.printed()) as { url: string };
  const entered = await fetch(url);
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const [home] = /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{16}\//.exec(url)!;
  const page = await (await fetch(home, { headers: { cookie } })).text();
  expect(page).toContain('as ada');
  for (const [, href] of page.matchAll(/<link [^>]*href="([^"]+)"/g))
    expect([href, (await fetch(new URL(href!, home), { headers: { cookie } })).status]).toEqual([href, 200]);
  expect((await fetch(url)).status).toBe(403);
  expect(program.output()).not.toContain(cookie.split('=')[1]);
  program.kill();
  expect(await program.ended).toBe(0);
});

test('without --json it prints the link alone on a line, for whom it is, and how to end it', async () => {
  const program = startProgram(['desk', '--by', 'ada'], settings());
  await expect.poll(() => program.printed(), { timeout: 30_000 }).toContain('Ctrl-C ends it.');
  expect(program.printed()).toMatch(
    /^The desk is open for ada\. .*:\nhttp:\/\/127\.0\.0\.1:\d+\/\S+\nCtrl-C ends it\.\n$/,
  );
  program.kill('SIGINT');
  expect(await program.ended).toBe(0);
});

test.each(['65536', '-1', 'x'])('--port %s is an error in a sentence', async (port) => {
  const { code, errors } = await runProgram(['desk', `--port=${port}`], settings());
  expect([code, errors]).toEqual([2, 'mintmark: --port takes a whole number from 0 to 65535\n']);
});
