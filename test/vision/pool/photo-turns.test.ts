import { expect, test } from 'vitest';
import { openPhotoTurns } from '../../../src/vision/pool/photo-turns.ts';

const FIRST = { isUnderWay: false };
const ended = async (turn: Promise<() => void>) => (await turn)();

test('turns of one caller come one by one in order; those of another at once', async () => {
  const turns = openPhotoTurns();
  const order: string[] = [];
  const end = await turns.next('a', FIRST);
  const waiting = ['b', 'c'].map((name) =>
    turns.next('a', FIRST).then((over) => {
      order.push(name);
      return over;
    }),
  );
  await ended(turns.next('other', FIRST));
  expect(order).toEqual([]);
  end();
  // Ending a turn twice starts nobody.
  end();
  const over = await waiting[0]!;
  expect(order).toEqual(['b']);
  over();
  await ended(waiting[1]!);
  expect(order).toEqual(['b', 'c']);
  await ended(turns.next('a', FIRST));
});

test('a full queue rejects a new request, and not one that had a turn before', async () => {
  const turns = openPhotoTurns();
  const end = await turns.next('a', FIRST);
  const waiting = Array.from({ length: 4 }, () => turns.next('a', FIRST));
  await expect(turns.next('a', FIRST)).rejects.toMatchObject({ code: 'rate_limited' });
  const again = turns.next('a', { isUnderWay: true });
  end();
  for (const one of [...waiting, again]) await ended(one);
});

test('a caller that disconnects leaves the queue, before it waits and while it does', async () => {
  const turns = openPhotoTurns();
  const end = await turns.next('a', FIRST);
  const disconnect = new AbortController();
  const waiting = turns.next('a', { isUnderWay: false, signal: disconnect.signal });
  const next = turns.next('a', FIRST);
  disconnect.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  const late = turns.next('a', { isUnderWay: false, signal: AbortSignal.abort() });
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  end();
  await ended(next);
});
