import { describe, expect, test } from 'vitest';
import { ended, inOrder, type Progress, running } from '../../src/graded/stages.ts';

async function* of(news: readonly Progress[]): AsyncGenerator<Progress, string> {
  yield* news;
  return 'the end';
}

async function passed(news: readonly Progress[]): Promise<string[]> {
  const told: string[] = [];
  for await (const { stage, status } of inOrder(of(news))) told.push(`${stage} ${status}`);
  return told;
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
    async function* steps(): AsyncGenerator<Progress, void> {
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
