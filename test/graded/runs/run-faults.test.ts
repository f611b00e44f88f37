import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ReadCert } from '../../../src/catalog/cert.ts';
import { keyOf, type RunsWorld } from '../../../src/graded/runs/run-jobs.ts';
import type { Runs } from '../../../src/graded/runs/runs.ts';
import { running } from '../../../src/graded/runs/stages.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert, follow, ledValuation, NO_ONE, type Processes, processesOn, unfound } from './runs-world.ts';

let database: FreshDatabase;
let processes: Processes;

beforeAll(async () => {
  database = await freshDatabase();
  processes = processesOn(database);
});
afterEach(() => processes.end());
afterAll(() => database.close());

const aProcess: Processes['start'] = (...how) => processes.start(...how);

/** A run of which a process died. */
async function aDeadRun(cert: ReadCert, { attempts }: { attempts: number }): Promise<number> {
  const [job] = await database.db.query<{ id: number }>(
    `with job as (select id from graphile_worker.add_job('value_cert', $1, job_key => $2))
     select id from job`,
    [JSON.stringify(cert), keyOf(cert)],
  );
  await database.db.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-dead', locked_at = now(), attempts = $2 where id = $1`,
    [job!.id, attempts],
  );
  return job!.id;
}

/** Follows a run whose process dies once the watcher has found it. */
async function followUntilItDies(runs: Runs, cert: ReadCert) {
  const watch = follow(runs, cert);
  const found = () =>
    database.db.query('select 1 from graphile_worker.jobs where key = $1 and revision > 0', [keyOf(cert)]);
  await expect.poll(found).toHaveLength(1);
  await database.db.letGo('worker-dead');
  return watch;
}

describe('a process ends', () => {
  test('one that stops hands its runs to another at once, which repeats no event', async () => {
    const [first, second] = [ledValuation(), ledValuation()];
    const one = await aProcess(first.value);
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.events.length).toBe(1);
    const there = follow(await aProcess(second.value), cert);
    await expect.poll(() => there.events.length).toBe(1);
    await processes.stop(one);
    const jobs = await database.db.query(
      'select run_at <= clock_timestamp() as "isDue" from graphile_worker.jobs where key = $1',
      [keyOf(cert)],
    );
    expect(jobs).toEqual([{ isDue: true }]);
    await second.next();
    await second.next();
    expect(await there.end).toBe('result');
    expect(there.events.map(({ place, name }) => [place, name])).toEqual([
      [0, 'progress'],
      [1, 'progress'],
      [2, 'result'],
    ]);
  });

  test('the runs of one that died are finished by another, without a watcher and without an event twice', async () => {
    const { db } = database;
    const cert = aCert();
    const runId = await aDeadRun(cert, { attempts: 1 });
    await db.query(`insert into valuation_events (run_id, place, name, data) values ($1, 0, 'progress', $2)`, [
      runId,
      JSON.stringify(running('cert_lookup', 'one')),
    ]);
    const { value, next } = ledValuation();
    await aProcess(value);
    await next();
    await next();
    const events = () =>
      db.query<{ name: string; data: string }>(
        'select name, data from valuation_events where run_id = $1 order by place',
        [runId],
      );
    await expect.poll(async () => (await events()).map(({ name }) => name)).toEqual(['progress', 'progress', 'result']);
    expect(JSON.parse((await events())[1]!.data)).toMatchObject({ stage: 'identify' });
    await expect.poll(() => db.query('select 1 from graphile_worker.jobs where id = $1', [runId])).toEqual([]);
  });

  test('one that lives keeps its runs while the runs of a dead one are freed', async () => {
    const { value, begun, next } = ledValuation();
    const [one] = [await aProcess(value), await aProcess(value)];
    const cert = aCert();
    const living = follow(one, cert);
    await expect.poll(() => living.events.length).toBe(1);
    const dead = aCert();
    await aDeadRun(dead, { attempts: 1 });
    await expect.poll(() => begun.map(({ cert: { key } }) => key), { timeout: 5000 }).toEqual([cert.key, dead.key]);
    for (let step = 0; step < 4; step++) await next();
    expect(await living.end).toBe('result');
    expect(begun.length).toBe(2);
  });

  test('a run that four processes died of is given up', async () => {
    const cert = aCert();
    await database.db.hold('worker-dead');
    await aDeadRun(cert, { attempts: 4 });
    const { value, begun } = ledValuation();
    const runs = await aProcess(value, async () => unfound(cert, 'compute_incomplete', 'four died'));
    const watch = await followUntilItDies(runs, cert);
    expect(await watch.end).toBe('result');
    expect(begun).toEqual([]);
    expect(JSON.parse(watch.events[0]!.data)).toMatchObject({ reason: 'compute_incomplete', warning: 'four died' });
  });

  test('a run that three processes died of is not given up', async () => {
    const { value, begun, next } = ledValuation();
    const cert = aCert();
    await database.db.hold('worker-dead');
    await aDeadRun(cert, { attempts: 3 });
    const watch = await followUntilItDies(await aProcess(value), cert);
    await expect.poll(() => begun).toHaveLength(1);
    await next();
    await next();
    expect(await watch.end).toBe('result');
    expect(JSON.parse(watch.events.at(-1)!.data)).toMatchObject({ reason: 'not_ingested' });
  });
});

test('a fault of a valuation ends it with what is known', async () => {
  const runs = await aProcess(NO_ONE);
  const watch = follow(runs, aCert());
  expect(await watch.end).toBe('result');
  expect(JSON.parse(watch.events[0]!.data)).toMatchObject({ warning: 'given up' });
});

test('when not even that can be stored, the run is tried again, and its watchers see the end of that', async () => {
  const { db } = database;
  const led = ledValuation();
  let faults = 1;
  const value: RunsWorld['value'] = (cert, signal) => {
    if (faults-- > 0) throw new Error('a fault of ours');
    return led.value(cert, signal);
  };
  const runs = await aProcess(value, async () => {
    throw new Error('the database is away');
  });
  const cert = aCert();
  const watch = follow(runs, cert);
  const waiting = `select id from graphile_worker.jobs where key = $1 and last_error = 'the database is away'`;
  await expect.poll(() => db.query(waiting, [keyOf(cert)])).toHaveLength(1);
  // Not after the seconds that a retry waits for.
  await db.query(
    `select graphile_worker.reschedule_jobs(array(${waiting}), now()), pg_notify('jobs:insert', '{"count":1}')`,
    [keyOf(cert)],
  );
  await led.next();
  await led.next();
  expect(await watch.end).toBe('result');
  expect(JSON.parse(watch.events.at(-1)!.data)).toMatchObject({ warning: 'the end' });
});

test('a watcher sees the end of a run although reading it failed once', async () => {
  const { value, next } = ledValuation();
  let faults = 0;
  const runs = await aProcess(value, undefined, (db) => ({
    ...db,
    prepared: (name, ...rest) =>
      name === 'run_events' && faults-- > 0 ? Promise.reject(new Error('lost')) : db.prepared(name, ...rest),
  }));
  const watch = follow(runs, aCert());
  await expect.poll(() => watch.events.length).toBe(1);
  await next();
  await expect.poll(() => watch.events.length).toBe(2);
  faults = 1;
  await next();
  expect(await watch.end).toBe('result');
});
