import { expect, test } from 'vitest';
import { type Effort, type KnownMatches, matchReading } from '../../../src/search/query/match.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { smallIndex } from './small-index.ts';

const TYPED: Effort = { prefixes: false, misspellings: false };
const { index } = smallIndex([
  { name: 'Charm', number: '1' },
  { name: 'Charmander', number: '4' },
  { name: 'Chasm', number: '7' },
  { name: 'Mint Rose', number: '9' },
]);

/** The same words twice, of which the second must not be answered with the matches of the first. */
test.each<[string, [q: string, effort: Effort], [q: string, effort: Effort]]>([
  ['as typed, then as the beginning of a word', ['charm', TYPED], ['charm', { ...TYPED, prefixes: true }]],
  ['as typed, then perhaps misspelt', ['charm', TYPED], ['charm', { ...TYPED, misspellings: true }]],
  ['exactly, then a word that the catalog does not have', ['chamr', { ...TYPED, isExact: true }], ['chamr', TYPED]],
])('matches that are kept are those of the same word tried in the same way: %s', (_, ...tries) => {
  const known: KnownMatches = new Map();
  const match = ([q, effort]: [string, Effort], kept: KnownMatches) => {
    const reading = readQuery(q);
    return matchReading(
      index,
      reading,
      reading.tokens.map(() => effort),
      kept,
    ).tokens;
  };
  const [first, second] = tries.map((one) => match(one, known));
  expect(first).toEqual(match(tries[0], new Map()));
  expect(second).toEqual(match(tries[1], new Map()));
  expect(second).not.toEqual(first);
});

test('an optional word and the same word that names the card have weights of their own', () => {
  const reading = readQuery('mint');
  const asName = { ...reading, tokens: reading.tokens.map((token) => ({ ...token, isOptional: false })) };
  const known: KnownMatches = new Map();
  const [light, heavy] = [reading, asName].map((one) => matchReading(index, one, [TYPED], known).tokens[0]!.weight);
  expect(light).toBeLessThan(heavy!);
});
