import { expect, test } from 'vitest';
import { forCluster, onCluster } from '../../../src/db/distribute/dialect.ts';
import { PLACEMENTS } from '../../../src/db/distribute/placement.ts';
import { ownSchema } from '../../../src/db/own-schema.ts';

test('every table of the schema has a place on a cluster, and nothing else has', () => {
  expect(Object.keys(PLACEMENTS).sort()).toEqual(ownSchema().tables.sort());
});

test('a cluster gets its own SQL; for any other server that is a comment', () => {
  const text = `select ${onCluster('a\n', '$1')} from ${onCluster('t', 'u')}`;
  expect(forCluster(text)).toBe('select $1 from u');
  expect(text.replace(/\/\*.*?\*\//g, '')).toBe('select a\n from t');
});
