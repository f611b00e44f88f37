import { expect, test, vi } from 'vitest';
import { readyAnswer } from '../../src/http/answer.ts';
import { type Made, openAnswerCache } from '../../src/http/cache.ts';
import { testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';

const KIND = { status: 200, policy: 'daily', maxAgeSeconds: 60, extraHeaders: {} } as const;

test('a close drops cached responses, so that views made before and after it agree', async () => {
  const { db, close } = await freshDatabase();
  const itemId = await anItem(db);
  await manySales(db, { itemId, to: '2026-06-10' });
  await closeDays(db, '2026-06-10');
  const api = await testApp(db, { cacheMb: 8 });
  const path = `/v1/items/by-id/${itemId}/overview`;
  const updatedAt = async () => (await api.get(path)).json.grades[0].updatedAt;
  expect(await updatedAt()).toBe('2026-06-11T00:00:00.000Z');
  await closeDays(db, '2026-06-20');
  await expect.poll(updatedAt).toBe('2026-06-21T00:00:00.000Z');
  expect((await api.get(`/v1/items/by-id/${itemId}`)).json.updatedAt).toBe('2026-06-21T00:00:00.000Z');
  await api.app.close();
  await close();
});

test('an answer that was begun before a change is not kept after it, nor shared with later requests', async () => {
  const cache = openAnswerCache(1);
  const made = (body: string) => ({ answer: readyAnswer({ body }, KIND), keep: true });
  let finishOld = (_: Made) => {};
  const old = cache.make('/path', () => new Promise((resolve) => (finishOld = resolve)));
  cache.clear();
  const current = await cache.make('/path', async () => made('new'));
  finishOld(made('old'));
  expect((await old).plain.body.toString()).toBe('old');
  expect(cache.get('/path')).toBe(current);
});

test('concurrent requests for one target make its answer once; a failure reaches all of them and is not kept', async () => {
  const cache = openAnswerCache(1);
  let calls = 0;
  const answer = readyAnswer({ body: {} }, KIND);
  const make = (target: string, keep: boolean) =>
    cache.make(target, async () => {
      calls++;
      await new Promise(setImmediate);
      return { answer, keep };
    });
  expect(await Promise.all([make('/a', true), make('/a', true), make('/a', true)])).toEqual([answer, answer, answer]);
  expect([calls, cache.get('/a')]).toEqual([1, answer]);
  await Promise.all([make('/volatile', false), make('/volatile', false)]);
  expect([calls, cache.get('/volatile')]).toEqual([2, undefined]);
  await make('/volatile', false);
  expect(calls).toBe(3);
  const fail = () => cache.make('/broken', () => Promise.reject(new Error('away')));
  expect((await Promise.allSettled([fail(), fail()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.make('/broken', async () => ({ answer, keep: true }))).toBe(answer);
});

test('twenty concurrent requests for a page read the database once and get equal bytes', async () => {
  const { db, close } = await freshDatabase();
  const set = await aSet(db);
  for (let number = 1; number <= 40; number++) await anItem(db, { set, number: String(number), name: 'Card' });
  const api = await testApp(db, { cacheMb: 8 });
  const spies = [vi.spyOn(api.context.db, 'query'), vi.spyOn(api.context.db, 'prepared')];
  // Those that name the set: the search index reads the tables too.
  const isOfSet = (call: readonly unknown[]) => call.some((one) => Array.isArray(one) && one.includes(set.segment));
  const queries = () => spies.reduce((sum, spy) => sum + spy.mock.calls.filter(isOfSet).length, 0);
  for (const path of [`/card/pokemon/${set.segment}`, `/v1/sets/pokemon/${set.segment}`]) {
    const request = { method: 'GET', url: path, headers: { 'accept-encoding': 'br' } } as const;
    const queriesOf = async (concurrent: number) => {
      api.context.cache.clear();
      for (const spy of spies) spy.mockClear();
      const answers = await Promise.all(Array.from({ length: concurrent }, () => api.app.inject(request)));
      const bodies = new Set(
        answers.map(({ statusCode, rawPayload }) => `${statusCode} ${rawPayload.toString('hex')}`),
      );
      expect([...bodies]).toEqual([expect.stringMatching(/^200 /)]);
      return queries();
    };
    const alone = await queriesOf(1).then(() => queriesOf(1));
    expect(alone).toBeGreaterThan(0);
    expect([path, await queriesOf(20)]).toEqual([path, alone]);
  }
  await api.app.close();
  await close();
});
