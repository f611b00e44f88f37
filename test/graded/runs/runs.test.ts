import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CertReading, type ReadCert, readCert } from '../../../src/catalog/cert.ts';
import { openDb } from '../../../src/db/client.ts';
import { unfound } from '../../../src/graded/certs/stored.ts';
import { dropOldEvents, type RunEvent } from '../../../src/graded/runs/run-events.ts';
import { keyOf, type RunsWorld } from '../../../src/graded/runs/run-jobs.ts';
import { openRuns, type Runs, type WatchEnd } from '../../../src/graded/runs/runs.ts';
import { running } from '../../../src/graded/runs/stages.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await database.db.query('delete from graphile_worker._private_jobs');
});
afterAll(() => database.close());

/** A valuation that a test leads step by step. */
function ledValuation() {
  const steps: (() => void)[] = [];
  const begun: { cert: ReadCert; signal: AbortSignal }[] = [];
  const step = () => new Promise<void>((resolve) => void steps.push(resolve));
  const value: RunsWorld['value'] = async function* (cert, signal) {
    begun.push({ cert, signal });
    yield running('cert_lookup', 'one');
    await step();
    yield running('identify', 'two');
    await step();
    return unfound(cert, 'not_ingested', 'the end');
  };
  const next = async () => {
    await expect.poll(() => steps.length).toBeGreaterThan(0);
    steps.shift()!();
  };
  return { value, begun, next };
}

/** A process, as the database sees it. Any of them may take up a run. */
async function aProcess(
  value: RunsWorld['value'],
  givenUp: RunsWorld['givenUp'] = async (cert) => unfound(cert, 'compute_incomplete', 'given up'),
): Promise<Runs> {
  const log = pino({ level: 'silent' });
  const db = openDb({ connection: database.connection, poolSize: 2 });
  const runs = await openRuns({ db, log, value, givenUp }, { graceMs: 200, sweepMs: 50 });
  open.push(db, runs);
  return runs;
}

async function stopProcess(runs: Runs): Promise<void> {
  open.splice(open.indexOf(runs), 1);
  await runs.close();
}

let count = 0;
function aCert(): ReadCert {
  const reading: CertReading = readCert(String(70000000 + count++));
  if (reading.kind === 'invalid') throw new Error('no cert');
  return reading;
}

/** Follows a run to its end. */
function follow(runs: Runs, cert: ReadCert, more: Partial<Parameters<Runs['watch']>[1]> = {}) {
  const events: RunEvent[] = [];
  const leaving = new AbortController();
  const watch = runs.watch(cert, { forMs: 20_000, signal: leaving.signal, ...more });
  const end = (async (): Promise<WatchEnd> => {
    while (true) {
      const { done, value } = await watch.next();
      if (done) return value;
      events.push(value);
    }
  })();
  // Awaited by the tests that are about its end.
  end.catch(() => {});
  return { events, end, leave: () => leaving.abort() };
}

const NO_ONE: RunsWorld['value'] = () => {
  throw new Error('this process must not run it');
};

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

/** Waits until a run that its only watcher leaves now is stopped: so would be every other that was left before. */
async function aRunIsStopped(runs: Runs, begun: { cert: ReadCert; signal: AbortSignal }[]): Promise<void> {
  const cert = aCert();
  const left = follow(runs, cert);
  await expect.poll(() => left.events.length).toBe(1);
  left.leave();
  await expect.poll(() => begun.find((one) => one.cert.key === cert.key)?.signal.aborted, { timeout: 5000 }).toBe(true);
}

describe('one run a cert', () => {
  test('all watchers in a process follow one run, later ones from its beginning', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await aProcess(value);
    const cert = aCert();
    const first = follow(runs, cert);
    await expect.poll(() => first.events.length).toBe(1);
    await next();
    const second = follow(runs, { ...cert });
    await next();
    expect([await first.end, await second.end]).toEqual(['result', 'result']);
    expect(begun.length).toBe(1);
    expect(first.events.map(({ name }) => name)).toEqual(['progress', 'progress', 'result']);
    expect(second.events).toEqual(first.events);
  });

  test('watchers who come at once in several processes follow one run', async () => {
    const { value, begun, next } = ledValuation();
    const processes = [await aProcess(value), await aProcess(value), await aProcess(value)];
    const cert = aCert();
    const watches = [...processes, ...processes].map((runs) => follow(runs, cert));
    await next();
    await next();
    expect(new Set(await Promise.all(watches.map(({ end }) => end)))).toEqual(new Set(['result']));
    expect(begun.length).toBe(1);
    for (const { events } of watches) expect(events).toEqual(watches[0]!.events);
  });

  test('another process follows the same events while they come', async () => {
    const { value, next } = ledValuation();
    const one = await aProcess(value);
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.events.length).toBe(1);
    const there = follow(await aProcess(NO_ONE), cert);
    await expect.poll(() => there.events.length).toBe(1);
    await next();
    await expect.poll(() => there.events.length).toBe(2);
    await next();
    expect([await here.end, await there.end]).toEqual(['result', 'result']);
    expect(there.events).toEqual(here.events);
  });

  test('a run that ended can be followed again from any place, in any process', async () => {
    const { value, next } = ledValuation();
    const one = await aProcess(value);
    const cert = aCert();
    const first = follow(one, cert);
    await next();
    await next();
    await first.end;
    const other = await aProcess(NO_ONE);
    const { runId } = first.events[0]!;
    expect(await other.knows(runId)).toBe(true);
    expect(await other.knows(runId + 1)).toBe(false);
    const again = follow(other, cert, { from: { runId, place: 1 } });
    expect(await again.end).toBe('result');
    expect(again.events).toEqual(first.events.slice(1));
  });

  test('is forgotten ten minutes after its end, or a day after its last event', async () => {
    const { db } = database;
    const add = (runId: number, ended: string | null, progress: string) =>
      db.query(
        `insert into valuation_events (run_id, place, name, data, at)
         select $1::bigint, 0, 'progress', '{}', now() - $3::interval
         union all select $1, 1, 'result', '{}', now() - $2::interval where $2 is not null`,
        [runId, ended, progress],
      );
    await add(-1, '11 minutes', '12 minutes');
    await add(-2, '9 minutes', '12 minutes');
    await add(-3, null, '23 hours');
    await add(-4, null, '25 hours');
    await dropOldEvents(db);
    const kept = await db.query('select run_id as id, place from valuation_events where run_id < 0 order by 1, 2');
    expect(kept).toEqual([
      { id: -3, place: 0 },
      { id: -2, place: 0 },
      { id: -2, place: 1 },
    ]);
  });
});

describe('nobody waits', () => {
  test('the work stops soon after the last has left, and the next watcher begins a new run', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await aProcess(value);
    const cert = aCert();
    const first = follow(runs, cert);
    await expect.poll(() => first.events.length).toBe(1);
    first.leave();
    expect(await first.end).toBe('left');
    await expect.poll(() => begun[0]!.signal.aborted, { timeout: 5000 }).toBe(true);
    expect(await runs.knows(first.events[0]!.runId)).toBe(false);
    const again = follow(runs, cert);
    // The step of the run that was stopped is the first.
    for (let step = 0; step < 3; step++) await next();
    expect(await again.end).toBe('result');
    expect(again.events.map(({ name }) => name)).toEqual(['progress', 'progress', 'result']);
    expect(again.events[0]!.runId).not.toBe(first.events[0]!.runId);
  });

  test('it goes on while somebody waits in another process', async () => {
    const { value, begun, next } = ledValuation();
    const one = await aProcess(value);
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.events.length).toBe(1);
    const there = follow(await aProcess(value), cert);
    await expect.poll(() => there.events.length).toBe(1);
    here.leave();
    await aRunIsStopped(one, begun);
    expect(begun[0]!.signal.aborted).toBe(false);
    await next();
    await next();
    await next();
    expect(await there.end).toBe('result');
  });

  test('a watcher whose time is over leaves a run that goes on, which the next one finds', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await aProcess(value);
    const cert = aCert();
    const impatient = follow(runs, cert, { forMs: 300 });
    expect(await impatient.end).toBe('late');
    await aRunIsStopped(runs, begun);
    expect(begun[0]!.signal.aborted).toBe(false);
    const patient = follow(runs, cert);
    await next();
    await next();
    await next();
    expect(await patient.end).toBe('result');
    expect(begun.filter((one) => one.cert.key === cert.key).length).toBe(1);
  });
});

describe('a process ends', () => {
  test('one that stops hands its runs to another at once, which repeats no event', async () => {
    const [first, second] = [ledValuation(), ledValuation()];
    const one = await aProcess(first.value);
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.events.length).toBe(1);
    const there = follow(await aProcess(second.value), cert);
    await expect.poll(() => there.events.length).toBe(1);
    await stopProcess(one);
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
