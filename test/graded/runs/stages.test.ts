import { describe, expect, test } from 'vitest';
import { ended, inOrder, type RunProgress, running } from '../../../src/graded/runs/stages.ts';

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
