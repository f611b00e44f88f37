import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { ended, inOrder, type RunProgress, running, within } from '../../../src/graded/runs/stages.ts';

async function* of(news: readonly RunProgress[]): AsyncGenerator<RunProgress, string> {
  yield* news;
  return 'the end';
}

async function passed(news: readonly RunProgress[]): Promise<string[]> {
  const seen: string[] = [];
  for await (const { stage, status } of inOrder(of(news))) seen.push(`${stage} ${status}`);
  return seen;
}

describe('stages', () => {
  test('begin once and end once, in their order, whatever the steps repeat', async () => {
    const news = [
      running('cert_lookup', 'a'),
      ended('cert_lookup', 'ok', 'b'),
      running('cert_lookup', 'again'),
      ended('cert_lookup', 'error', 'again'),
      running('find_item', 'c'),
      running('find_item', 'again'),
      ended('identify', 'ok', 'too late'),
      ended('find_item', 'ok', 'd'),
      ended('fmv', 'skipped', 'e'),
      ended('done', 'ok', 'f'),
      ended('fmv', 'ok', 'after the end'),
    ];
    expect(await passed(news)).toEqual([
      'cert_lookup running',
      'cert_lookup ok',
      'find_item running',
      'find_item ok',
      'fmv skipped',
      'done ok',
    ]);
  });

  test('that nobody follows any more end the steps', async () => {
    let isOver = false;
    async function* steps(): AsyncGenerator<RunProgress, void> {
      try {
        yield running('cert_lookup', 'a');
        yield running('identify', 'b');
      } finally {
        isOver = true;
      }
    }
    for await (const _ of inOrder(steps())) break;
    expect(isOver).toBe(true);
  });
});

describe('work within a time', () => {
  const never = new AbortController().signal;

  test('gives its result, and throws what it throws', async () => {
    expect(await within(async () => 'done', 1000, never)).toBe('done');
    await expect(within(async () => Promise.reject(new Error('broken')), 1000, never)).rejects.toThrow('broken');
  });

  test('is null and aborted when it is late, also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let isAborted = false;
    const late = within(
      (limit) => new Promise(() => limit.addEventListener('abort', () => (isAborted = true))),
      300,
      never,
    );
    for (let i = 0; i < 3; i++) {
      await sleep(20);
      collect();
    }
    expect(await late).toBeNull();
    expect(isAborted).toBe(true);
  });

  test('is null as soon as the signal aborts, and not begun when it already has', async () => {
    const controller = new AbortController();
    const work = within(() => new Promise(() => {}), 60_000, controller.signal);
    controller.abort();
    expect(await work).toBeNull();
    let isBegun = false;
    expect(await within(async () => (isBegun = true), 60_000, controller.signal)).toBeNull();
    expect(isBegun).toBe(false);
  });
});
