import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ReadCert } from '../../../src/catalog/cert.ts';
import { dropOldEvents } from '../../../src/graded/runs/run-events.ts';
import type { Runs } from '../../../src/graded/runs/runs.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert, follow, ledValuation, NO_ONE, type Processes, processesOn } from './runs-world.ts';

let database: FreshDatabase;
let processes: Processes;

beforeAll(async () => {
  database = await freshDatabase();
  processes = processesOn(database);
});
afterEach(() => processes.end());
afterAll(() => database.close());

const aProcess: Processes['start'] = (value, givenUp) => processes.start(value, givenUp);

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

  test('simultaneous watchers in several processes follow one run', async () => {
    const { value, begun, next } = ledValuation();
    const processes = [await aProcess(value), await aProcess(value), await aProcess(value)];
    const cert = aCert();
    const watches = [...processes, ...processes].map((runs) => follow(runs, cert));
    // A process that asks after the end of the run begins another.
    for (const { events } of watches) await expect.poll(() => events.length).toBe(1);
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

describe('without watchers', () => {
  test('the work stops soon after the last watcher has left, and the next watcher begins a new run', async () => {
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

  test('it goes on while another process has a watcher', async () => {
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
