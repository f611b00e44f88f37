import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CertReading, type ReadCert, readCert } from '../../src/catalog/cert.ts';
import { openDb } from '../../src/db/client.ts';
import type { RunsWorld } from '../../src/graded/run-drive.ts';
import type { Told } from '../../src/graded/run-live.ts';
import { openRuns, type Runs, type WatchEnd } from '../../src/graded/runs.ts';
import { running } from '../../src/graded/stages.ts';
import { unfound } from '../../src/graded/stored.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
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

async function process(
  value: RunsWorld['value'],
  givenUp: RunsWorld['givenUp'] = async (cert) => unfound(cert, 'compute_incomplete', 'given up'),
): Promise<Runs> {
  const log = pino({ level: 'silent' });
  const db = openDb({ connection: database.connection, poolSize: 2 });
  const runs = await openRuns({ db, log, value, givenUp }, { tickMs: 50, graceMs: GRACE_MS });
  open.push(db, runs);
  return runs;
}

const GRACE_MS = 200;
let count = 0;
function aCert(): ReadCert {
  const reading: CertReading = readCert(String(70000000 + count++));
  if (reading.kind === 'invalid') throw new Error('no cert');
  return reading;
}

/** Follows a run to its end. */
function follow(runs: Runs, cert: ReadCert, more: Partial<Parameters<Runs['watch']>[1]> = {}) {
  const told: Told[] = [];
  const leaving = new AbortController();
  const watch = runs.watch(cert, { forMs: 20_000, signal: leaving.signal, ...more });
  const end = (async (): Promise<WatchEnd> => {
    while (true) {
      const { done, value } = await watch.next();
      if (done) return value;
      told.push(value);
    }
  })();
  // Awaited by the tests that are about its end.
  end.catch(() => {});
  return { told, end, leave: () => leaving.abort() };
}

const NO_ONE: RunsWorld['value'] = () => {
  throw new Error('this process must not run it');
};

/** Waits until a run has been looked after for some time more. */
async function lookedAfter(cert: ReadCert, forMs: number): Promise<void> {
  const lease = async () => {
    const [row] = await database.db.query<{ until: number }>(
      `select (extract(epoch from lease_until) * 1000)::float8 as until from valuations where cert_key = $1`,
      [cert.key],
    );
    return row!.until;
  };
  const before = await lease();
  await expect.poll(lease, { timeout: 10_000 }).toBeGreaterThan(before + forMs);
}

describe('one run a cert', () => {
  test('everybody in a process follows one run, whoever comes later sees it from the beginning', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await process(value);
    const cert = aCert();
    const first = follow(runs, cert);
    await expect.poll(() => first.told.length).toBe(1);
    await next();
    const second = follow(runs, { ...cert });
    await next();
    expect([await first.end, await second.end]).toEqual(['result', 'result']);
    expect(begun.length).toBe(1);
    expect(first.told.map(({ name }) => name)).toEqual(['progress', 'progress', 'result']);
    expect(second.told).toEqual(first.told);
  });

  test('another process follows the same events while they come', async () => {
    const { value, next } = ledValuation();
    const [one, other] = [await process(value), await process(NO_ONE)];
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.told.length).toBe(1);
    const there = follow(other, cert);
    await expect.poll(() => there.told.length).toBe(1);
    await next();
    // Well before the next look at the database by itself: it is told.
    await expect.poll(() => there.told.length, { timeout: 500 }).toBe(2);
    await next();
    expect([await here.end, await there.end]).toEqual(['result', 'result']);
    expect(there.told).toEqual(here.told);
  });

  test('a run that ended can be followed again from any place, in any process', async () => {
    const { value, next } = ledValuation();
    const [one, other] = [await process(value), await process(NO_ONE)];
    const cert = aCert();
    const first = follow(one, cert);
    await next();
    await next();
    await first.end;
    const { runId } = first.told[0]!;
    expect(await other.knows(cert, runId)).toBe(true);
    expect(await other.knows(cert, runId + 1)).toBe(false);
    const again = follow(other, cert, { from: { runId, place: 1 } });
    expect(await again.end).toBe('result');
    expect(again.told).toEqual(first.told.slice(1));
  });
});

describe('nobody waits', () => {
  test('the work stops some seconds after the last has left, and whoever comes again begins where it stopped', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await process(value);
    const cert = aCert();
    const first = follow(runs, cert);
    await expect.poll(() => first.told.length).toBe(1);
    first.leave();
    expect(await first.end).toBe('left');
    await expect.poll(() => begun[0]!.signal.aborted, { timeout: 3000 }).toBe(true);
    const [row] = await database.db.query('select state from valuations where cert_key = $1', [cert.key]);
    expect(row).toEqual({ state: 'stopped' });
    const again = follow(runs, cert);
    await next();
    await next();
    await next();
    expect(await again.end).toBe('result');
    expect(again.told.map(({ name }) => name)).toEqual(['progress', 'progress', 'result']);
  });

  test('it goes on while somebody waits in another process', async () => {
    const { value, begun, next } = ledValuation();
    const [one, other] = [await process(value), await process(NO_ONE)];
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.told.length).toBe(1);
    const there = follow(other, cert);
    here.leave();
    await lookedAfter(cert, 3 * GRACE_MS);
    expect(begun[0]!.signal.aborted).toBe(false);
    await next();
    await next();
    expect(await there.end).toBe('result');
  });

  test('whoever has waited long enough is told that it goes on, and the next one finds what it came to', async () => {
    const { value, begun, next } = ledValuation();
    const runs = await process(value);
    const cert = aCert();
    const impatient = follow(runs, cert, { forMs: 300 });
    expect(await impatient.end).toBe('late');
    await lookedAfter(cert, 3 * GRACE_MS);
    expect(begun[0]!.signal.aborted).toBe(false);
    const patient = follow(runs, cert);
    await next();
    await next();
    expect(await patient.end).toBe('result');
    expect(begun.length).toBe(1);
  });
});

describe('a process ends', () => {
  test('one that is told to stop hands its runs to whoever waits elsewhere, who tells nothing twice', async () => {
    const [first, second] = [ledValuation(), ledValuation()];
    const [one, other] = [await process(first.value), await process(second.value)];
    const cert = aCert();
    const here = follow(one, cert);
    await expect.poll(() => here.told.length).toBe(1);
    const there = follow(other, cert);
    await expect.poll(() => there.told.length).toBe(1);
    await one.close();
    await second.next();
    await second.next();
    expect(await there.end).toBe('result');
    expect(there.told.map(({ place, name }) => [place, name])).toEqual([
      [0, 'progress'],
      [1, 'progress'],
      [2, 'result'],
    ]);
  });

  test('one that died loses its runs after seconds: a job finishes them', async () => {
    const { db } = database;
    const { value, next } = ledValuation();
    const runs = await process(value);
    const cert = aCert();
    await db.query(
      `insert into valuations (company, cert_key, cert_number, owner, lease_until, events)
       values ('PSA', $1, $2, 'dead', now() + interval '1 second', '{"progress {\\"stage\\":\\"cert_lookup\\",\\"status\\":\\"running\\"}"}')`,
      [cert.key, cert.certNumber],
    );
    expect(await runs.finishOrphans(new AbortController().signal)).toBe(0);
    await expect
      .poll(() =>
        db.query('select 1 from valuations where cert_key = $1 and lease_until < clock_timestamp()', [cert.key]),
      )
      .toHaveLength(1);
    const finishing = runs.finishOrphans(new AbortController().signal);
    await next();
    await next();
    expect(await finishing).toBe(1);
    const [row] = await db.query<{ state: string; told: number }>(
      'select state, cardinality(events) as told from valuations where cert_key = $1',
      [cert.key],
    );
    expect(row).toEqual({ state: 'done', told: 3 });
  });

  test('a run that every process dies of is given up', async () => {
    const runs = await process(NO_ONE);
    const cert = aCert();
    await database.db.query(
      `insert into valuations (company, cert_key, cert_number, owner, lease_until, attempts)
       values ('PSA', $1, $2, 'dead', '-infinity', 4)`,
      [cert.key, cert.certNumber],
    );
    const watch = follow(runs, cert);
    expect(await watch.end).toBe('result');
    expect(JSON.parse(watch.told[0]!.data)).toMatchObject({ reason: 'compute_incomplete', warning: 'given up' });
  });
});

test('a fault of a valuation ends it with what is known', async () => {
  const runs = await process(NO_ONE);
  const watch = follow(runs, aCert());
  expect(await watch.end).toBe('result');
  expect(JSON.parse(watch.told[0]!.data)).toMatchObject({ warning: 'given up' });
});

test('when not even that is known, whoever waits is told of the fault, and the next one begins anew', async () => {
  const led = ledValuation();
  let faults = 1;
  const value: RunsWorld['value'] = (cert, signal) => {
    if (faults-- > 0) throw new Error('a fault of ours');
    return led.value(cert, signal);
  };
  const runs = await process(value, async () => {
    throw new Error('the database is away');
  });
  const cert = aCert();
  await expect(follow(runs, cert).end).rejects.toThrow('the database is away');
  const again = follow(runs, cert);
  await led.next();
  await led.next();
  expect(await again.end).toBe('result');
});
