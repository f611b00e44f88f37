import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listDecisions } from '../../src/decisions/decisions.ts';
import { readServices } from '../../src/desk/failing.ts';
import { pauseService, resumeService, retryService } from '../../src/desk/pause-service.ts';
import { takeBack } from '../../src/desk/take-back.ts';
import { openServiceClient } from '../../src/http/outbound/service-client.ts';
import { serviceHealth, stateOf } from '../../src/http/outbound/service-client-state.ts';
import { dayOf } from '../../src/lib/day.ts';
import { FOLDER_KIND } from '../../src/sales/sources/watched-folder.ts';
import { freshDatabase } from '../support/database/database.ts';
import { type MarketServer, marketServer } from '../support/servers/market-server.ts';

const { db, close } = await freshDatabase();
afterAll(close);

const NOW_MS = Date.parse('2026-06-30T12:00:00Z');
const TODAY = dayOf(NOW_MS);
const ADA = { by: 'ada', why: 'it answers with prices of another game' };

let server: MarketServer;
let id: string;
let count = 0;

beforeEach(async () => {
  server = await marketServer(() => ({ body: { fine: true } }));
  id = `market-${count++}`;
  return () => server.close();
});

const connections = () => ({
  graders: [],
  sources: [
    { id, name: 'A market', kind: 'ebay-browse' },
    { id: 'files', name: 'Files', kind: FOLDER_KIND },
  ] as never[],
});
const world = () => ({ db, connections: connections(), today: TODAY });
const client = (tries = 1) =>
  openServiceClient(
    { db, clock: () => NOW_MS, random: () => 1 },
    { id, hosts: [server.origin], privateHosts: [server.origin], backoffMs: 1, tries, opensAfter: 2 },
  );
const call = async (one = client()) => {
  const answer = await one.ask({ url: `${server.origin}/x` });
  return answer.ok ? answer.status : answer.reason;
};
const stateNow = async () => (await readServices(db, connections(), NOW_MS)).find((one) => one.id === id)!.state;

describe('a paused service', () => {
  test.each([
    ['that was called before', true],
    ['that was never called', false],
  ])('%s is not called, by any process, until the decision is taken back', async (_, wasCalled) => {
    if (wasCalled) expect(await call()).toBe(200);
    const before = server.received.length;
    const decision = await pauseService(world(), id, ADA);
    for (const one of [client(), client()]) expect(await call(one)).toBe('paused');
    expect(server.received).toHaveLength(before);
    expect(await stateNow()).toBe('paused');
    await takeBack(db, decision, { by: 'bob', why: null }, TODAY);
    expect(await stateNow()).toBe(wasCalled ? 'ok' : 'unused');
    expect(await call()).toBe(200);
    expect(await stateNow()).toBe('ok');
  });

  test('says nothing of when it goes on but an hour, and takes no unit of the budget', async () => {
    await call();
    await pauseService(world(), id, ADA);
    expect(await client().ask({ url: `${server.origin}/x` })).toEqual({
      ok: false,
      reason: 'paused',
      message: 'It is paused by the operator.',
      retryAfterMs: 3_600_000,
    });
    const health = (await serviceHealth(db, [id], NOW_MS)).get(id)!;
    expect(health).toMatchObject({ callsToday: 1, paused: true });
    expect(stateOf(health)).toBe('resting');
  });

  test('stays paused, whatever a call that was under way brings, and is not to be retried', async () => {
    server.next({ body: { fine: true }, afterMs: 1000 });
    const under = call();
    await expect.poll(() => server.received.length).toBe(1);
    await pauseService(world(), id, ADA);
    expect(await under).toBe(200);
    await expect(retryService(world(), id)).rejects.toThrow(`${id} is paused by decision`);
    expect(await call()).toBe('paused');
  });

  test('is a decision with who and why; a second one is rejected, and so is a resumption of what is not paused', async () => {
    const decision = await pauseService(world(), id, ADA);
    const [kept] = await listDecisions(db, { before: null, limit: 1 });
    expect(kept).toMatchObject({ id: decision, kind: 'pause_service', subject: id, decidedBy: 'ada', why: ADA.why });
    await expect(pauseService(world(), id, ADA)).rejects.toThrow(`${id} is paused already, by decision ${decision}.`);
    expect(await resumeService(db, id, { by: 'bob', why: 'mended' }, TODAY)).toBe(decision);
    await expect(resumeService(db, id, ADA, TODAY)).rejects.toThrow(`${id} is not paused.`);
    await expect(takeBack(db, decision, ADA, TODAY)).rejects.toThrow('was taken back already, by bob');
    expect(await pauseService(world(), id, ADA)).toBeGreaterThan(decision);
  });

  test.each(['nobody', 'files'])('cannot be %s: that is not called', async (other) => {
    const why = `There is no service "${other}": the connected services are ${id}.`;
    await expect(pauseService(world(), other, ADA)).rejects.toThrow(why);
    await expect(retryService(world(), other)).rejects.toThrow(why);
    expect((await serviceHealth(db, [other], NOW_MS)).size).toBe(0);
  });
});

describe('a service that fails', () => {
  test('is called again at once where its faults are forgotten', async () => {
    server.usual(() => ({ status: 500 }));
    for (let i = 0; i < 2; i++) expect(await call()).toBe('server_error');
    expect(await call()).toBe('circuit_open');
    expect(await stateNow()).toBe('resting');
    server.usual(() => ({ body: { fine: true } }));
    await retryService(world(), id);
    expect(await call()).toBe(200);
  });

  test('that requested a pause is called before it is over, where a person says so', async () => {
    server.next({ status: 429, headers: { 'retry-after': '7200' } });
    expect(await call()).toBe('rate_limited');
    expect(await call()).toBe('rate_limited');
    expect(server.received).toHaveLength(1);
    await retryService(world(), id);
    expect(await call()).toBe(200);
  });

  test('comes before the others in the list', async () => {
    server.usual(() => ({ status: 500 }));
    await call();
    const other = { id: 'other', name: 'Other', kind: 'ebay-browse' } as never;
    const { sources } = connections();
    const states = await readServices(db, { graders: [], sources: [other, ...sources] }, NOW_MS);
    expect(states.map((one) => [one.id, one.state])).toEqual([
      [id, 'failing'],
      ['other', 'unused'],
    ]);
  });
});
