import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Contributors } from '../../../src/web/index/index-parts.tsx';

type Card = Parameters<typeof Contributors>[0]['constituents'][number];

/** Cards named by the percent that each moved the level. */
const moved = (...percents: number[]) =>
  percents.map((percent, at) => ({
    id: String(at),
    href: `/card/${at}`,
    name: `Moved ${percent}`,
    gradeLabel: 'PSA 10',
    setName: 'Base',
    contribution: Math.log1p(percent / 100),
  })) as unknown as Card[];

const namesOf = (html: string) => [...html.matchAll(/Moved (-?[\d.]+)/g)].map((match) => Number(match[1]));

test('what moved an index: the largest first, five each way, and nothing that reads as 0.00%', () => {
  const html = renderToString(Contributors({ constituents: moved(0.004, 0.006, -0.006, -0.004, 0, 1, -2) }));
  expect(namesOf(html)).toEqual([1, 0.006, -2, -0.006]);
  expect(html).not.toContain('>0.00%');
  const many = renderToString(Contributors({ constituents: moved(1, 2, 3, 4, 5, 6, 7) }));
  expect(namesOf(many)).toEqual([7, 6, 5, 4, 3]);
  expect(many).toContain('None');
});
