import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';
import { aTag, imaged } from '../support/tags.ts';

type Hit = {
  id: string;
  href: string;
  gradeLabel: string | null;
  priceUsdCents: number | null;
  requestedGrade?: boolean;
};

let database: FreshDatabase;
let api: TestApp;
/** Printings of Charizard: in most demand, sold at PSA 9 and 10; sold ungraded; in a registered slab; never sold. */
let both: string;
let raw: string;
let slabbed: string;
let unsold: string;
/** Pages of them that sold at PSA 9 alone. */
const nines: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  const printing = (variation: string) => anItem(db, { set, number: '4', name: 'Charizard', variation });
  raw = await printing('Reverse');
  await manySales(db, { itemId: raw, gradeKey: 'raw-A', everyDays: 1 });
  both = await printing('Holo');
  await manySales(db, { itemId: both, everyDays: 5 });
  await manySales(db, { itemId: both, gradeKey: 'psa-9', usdCents: 20_00, everyDays: 5 });
  slabbed = await printing('Stamped');
  await aCert(db, { company: 'BGS', certNumber: '0012345678', itemId: slabbed, gradeKey: 'bgs-9-5' });
  unsold = await printing('Error');
  for (let n = 1; n <= 20; n++) {
    nines.push(await anItem(db, { set, number: `${100 + n}`, name: 'Charizard' }));
    await manySales(db, { itemId: nines.at(-1)!, gradeKey: 'psa-9', everyDays: 2 });
  }
  await imaged(db, raw, both, slabbed, unsold, ...nines);
  await aTag(db, { slug: 'fierce', itemIds: [raw, both, slabbed, unsold, ...nines] });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function hits(q: string, more = '&limit=30'): Promise<Hit[]> {
  const { status, json } = await api.get(`/v1/search?q=${encodeURIComponent(q)}${more}`);
  expect(status, q).toBe(200);
  return json.results;
}
const idsOf = (found: readonly Hit[]) => found.map(({ id }) => id);
/** How many of the first hits are at the requested grade; all others are not. */
function atGrade(found: readonly Hit[]): number {
  const flags = found.map(({ requestedGrade }) => requestedGrade);
  const count = flags.filter(Boolean).length;
  expect(flags).toEqual([...Array(count).fill(true), ...Array(found.length - count).fill(false)]);
  return count;
}

describe('a grade in the query', () => {
  test('shows each printing at that grade, those tracked at it first, the others as without it', async () => {
    const found = await hits('charizard psa 10');
    expect(atGrade(found)).toBe(1);
    const { json } = await api.get(`/v1/items/by-id/${both}/overview`);
    const own = json.grades.find(({ gradeLabel }: Hit) => gradeLabel === 'PSA 10');
    expect(found[0]).toMatchObject({
      id: both,
      gradeLabel: 'PSA 10',
      priceUsdCents: own.priceUsdCents,
      href: own.href,
    });
    const without = new Map((await hits('charizard')).map((hit) => [hit.id, hit]));
    expect([...without.keys()].sort()).toEqual(idsOf(found).sort());
    for (const { requestedGrade, ...hit } of found.slice(1)) expect(hit).toEqual(without.get(hit.id));
  });

  test('of a card that sold at several is the requested one', async () => {
    const found = await hits('charizard psa 9');
    expect(atGrade(found)).toBe(21);
    const hit = found.find(({ id }) => id === both)!;
    expect(hit).toMatchObject({ gradeLabel: 'PSA 9', href: expect.stringMatching(/-psa-9-[0-9a-f]{8}$/) });
  });

  test('is looked for beyond the page', async () => {
    expect((await hits('charizard psa 10', '&limit=1'))[0]).toMatchObject({ id: both, requestedGrade: true });
    expect((await hits('charizard bgs 9.5', '&limit=1'))[0]).toMatchObject({ id: slabbed, gradeLabel: 'BGS 9.5' });
    expect((await hits('charizard raw', '&limit=1'))[0]).toMatchObject({ id: raw, gradeLabel: 'Raw A' });
  });

  test('at which nothing is tracked changes no hit and no order', async () => {
    const found = await hits('charizard cgc 10');
    expect(atGrade(found)).toBe(0);
    expect(idsOf(found)).toEqual(idsOf(await hits('charizard')));
  });

  test('puts no other card before the one that the number names', async () => {
    const found = await hits('charizard 101 psa 10');
    expect(found[0]).toMatchObject({ id: nines[0], requestedGrade: false, gradeLabel: 'PSA 9' });
  });

  test('that is not there leaves hits without the flag', async () => {
    for (const hit of await hits('charizard')) expect(hit).not.toHaveProperty('requestedGrade');
  });

  test('orders the pages of a tag search through and through', async () => {
    const pages: Hit[] = [];
    let after = '';
    do {
      const { json } = await api.get(`/v1/search?q=charizard%20psa%209&tag=mood:fierce&limit=7&after=${after}`);
      pages.push(...json.results);
      after = json.nextCursor ?? '';
    } while (after !== '');
    expect(atGrade(pages)).toBe(21);
    expect(new Set(idsOf(pages)).size).toBe(24);
  });
});

describe('a query that is a cert', () => {
  test.each([
    ['90000012', 'PSA90000012'],
    ['PSA 12345678', 'PSA12345678'],
    [' bgs-0012345678 ', 'BGS0012345678'],
  ])('%s leads to the slab', async (q, cert) => {
    const { json } = await api.get(`/v1/search?q=${encodeURIComponent(q)}`);
    expect(json.cert).toEqual({ href: `/cert/${cert}`, api: `/v1/graded/${cert}` });
    expect((await api.get(json.cert.api)).status).toBe(200);
    expect((await api.get(json.cert.href, { accept: 'text/html' })).status).toBe(200);
  });

  test.each(['charizard', 'psa 10', '1234', 'charizard 90000012'])('%s does not', async (q) => {
    expect((await api.get(`/v1/search?q=${encodeURIComponent(q)}`)).json).not.toHaveProperty('cert');
  });

  test('is offered first on the page, and a grade is named there', async () => {
    const page = async (q: string) =>
      (await api.get(`/search?q=${encodeURIComponent(q)}`, { accept: 'text/html' })).text;
    const slab = await page('bgs 0012345678');
    expect(slab).toMatch(/<a class="button" href="\/cert\/BGS0012345678">\s*Look up the slab BGS 0012345678\s*<\/a>/);
    const noCard = slab.indexOf('This is a cert number: no card has it as its own number.');
    expect(slab.indexOf('/cert/BGS0012345678')).toBeLessThan(noCard);
    expect(await page('charizard psa 10')).toContain('those sold as PSA 10 first');
  });
});
