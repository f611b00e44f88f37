import { expect, test } from 'vitest';
import { readyAnswer } from '../../src/http/answer.ts';
import { openAnswerCache } from '../../src/http/cache.ts';
import { testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { freshDatabase } from '../support/database.ts';

test('a close drops ready answers, so that views made before and after it agree', async () => {
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

test('an answer that was begun before a change is not kept after it', () => {
  const cache = openAnswerCache(1);
  const answer = readyAnswer({ body: {} }, { status: 200, policy: 'daily', maxAgeSeconds: 60, extraHeaders: {} });
  const begun = cache.epoch();
  cache.clear();
  cache.set('/old', answer, begun);
  expect(cache.get('/old')).toBeUndefined();
  cache.set('/new', answer, cache.epoch());
  expect(cache.get('/new')).toBe(answer);
});
