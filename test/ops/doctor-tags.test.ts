import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/ops/doctor.ts';
import type { Finding } from '../../src/ops/finding.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aTag, imaged } from '../support/tags.ts';

let database: FreshDatabase;
let findings: Finding[];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const ids: string[] = [];
  for (let n = 1; n <= 5; n++) ids.push(await anItem(db, { number: String(n) }));
  const [both, once, bare, retired, removed] = ids as [string, string, string, string, string];
  await imaged(db, both, once, retired, removed);
  await aTag(db, { slug: 'one', itemIds: [both, once, bare, removed] });
  await aTag(db, { slug: 'two', itemIds: [both] });
  await aTag(db, { slug: 'off', active: false, itemIds: [retired] });
  await db.query('update items set removed_at = now() where id = $1', [removed]);
  const gundam = await anItem(db, { set: await aSet(db, { game: 'gundam' }) });
  await aTag(db, { slug: 'three', itemIds: [gundam] });
  const digimon = await anItem(db, { set: await aSet(db, { game: 'digimon' }) });
  await imaged(db, digimon);
  findings = await examine(db, readConfig({}), 20_000);
});
afterAll(() => database.close());

const about = (game: string) => findings.find(({ what }) => what.startsWith('tags reach') && what.endsWith(game));

test('doctor says how many live items of each game tags reach: with an image and an active tag, each once', () => {
  expect(about('pokemon')).toEqual({ state: 'ok', what: 'tags reach 2 of 4 items of pokemon' });
  expect(about('mtg')).toBeUndefined();
});

test('where they reach none, it says what is missing: the images, or the tags', () => {
  expect(about('gundam')).toMatchObject({ state: 'warn', what: 'tags reach 0 of 1 items of gundam' });
  expect(about('gundam')!.advice).toMatch(/import images/);
  expect(about('digimon')!.advice).toMatch(/tags derive/);
});
