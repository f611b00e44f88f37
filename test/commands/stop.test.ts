import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, type Program, startProgram, untilServing } from '../support/program.ts';

let fresh: FreshDatabase;
const folder = folderOfRun();
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

const settings = () => ({
  DATABASE_URL: databaseUrlOf(fresh.connection),
  PORT: '0',
  LIMITS: 'off',
  MINTMARK_DATA: folder,
});

async function served(): Promise<Program & { address: string }> {
  const program = startProgram(['serve'], settings());
  const address = await untilServing(program);
  await expect.poll(async () => (await fetch(`${address}/ready`)).status, { timeout: 20_000 }).toBe(200);
  return { ...program, address };
}

/** One request over a connection that the agent keeps, as a proxy does. */
function ask(agent: Agent, address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer));
    });
    sent.once('error', reject);
    sent.end();
  });
}

describe('a server that is to stop', () => {
  test('says so at /ready, finishes every request, and ends within 2 s though a proxy keeps its connections busy', async () => {
    const { kill, address, ended } = await served();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    // Its answer is made once and served from memory ever after.
    const path = `${address}/v1/games`;
    expect((await ask(agent, path)).headers.connection).toBe('keep-alive');

    let stoppedMs = Number.POSITIVE_INFINITY;
    const answers: { status: number; connection: string | undefined }[] = [];
    const failures: string[] = [];
    const busy = async () => {
      while (stoppedMs === Number.POSITIVE_INFINITY || failures.length === 0) {
        const after = performance.now() > stoppedMs;
        await ask(agent, path).then(
          ({ statusCode, headers }) => {
            if (after) answers.push({ status: statusCode!, connection: headers.connection });
            else expect(statusCode).toBe(200);
          },
          (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message),
        );
      }
    };
    const load = [busy(), busy(), busy(), busy()];
    kill();
    // The signal has arrived once the process says that it stops.
    await expect.poll(async () => (await fetch(`${address}/ready`)).status, { interval: 5 }).toBe(503);
    stoppedMs = performance.now();
    const probe = await fetch(`${address}/ready`);
    expect(await probe.json()).toMatchObject({
      ready: false,
      database: true,
      detail: 'Not ready: the process is stopping.',
    });
    expect(probe.headers.get('connection')).toBe('close');

    expect(await ended).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(2000);
    await Promise.all(load);
    agent.destroy();
    expect(answers.length).toBeGreaterThan(4);
    expect(answers.filter(({ status, connection }) => status !== 200 || connection !== 'close')).toEqual([]);
    // No answer was cut: the server takes no connection, or it is closed before it was taken, and a proxy tries another server.
    expect(failures.filter((code) => code !== 'ECONNREFUSED' && code !== 'ECONNRESET')).toEqual([]);
  });

  test('takes Ctrl-C twice, from the terminal and from npm, for one', async () => {
    const { kill, ended, errors } = await served();
    kill('SIGINT');
    kill('SIGINT');
    expect(await ended).toBe(0);
    expect(errors()).not.toContain('"level":50');
  });

  test('ends a search index that is being built, without a word about it', async () => {
    const program = startProgram(['serve'], settings());
    await untilServing(program);
    program.kill('SIGINT');
    expect(await program.ended).toBe(0);
    expect(program.errors()).not.toContain('"level":50');
  });
});

test('the worker logs JSON lines only, those of its job runner too, and stops with 0', async () => {
  const { kill, ended, output, hasEnded } = startProgram(['worker'], { ...settings(), LOG_LEVEL: 'debug' });
  await expect.poll(output, { timeout: 30_000 }).toContain('"msg":"working"');
  await fresh.db.query(`select graphile_worker.add_job('drop_old_blocks')`);
  await expect.poll(output, { timeout: 20_000 }).toMatch(/"job":"drop_old_blocks".*Completed task/);
  expect(hasEnded()).toBe(false);
  kill();
  expect(await ended).toBe(0);
  const lines = output().trim().split('\n');
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
});
