import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideSuspect } from '../../src/audit/decide-suspect.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { keepFound } from '../../src/audit/suspect-store.ts';
import { withLastSales } from '../../src/items/last-sales.ts';
import { aSwappedCard, type Printings } from '../audit/world.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { complaintsOf } from '../support/structured-data.ts';
import { aDesk, ask, signIn } from './desk/desk-world.ts';

const HTML = { accept: 'text/html' };
let database: FreshDatabase;
let api: TestApp;
let swapped: Printings;

beforeAll(async () => {
  database = await freshDatabase();
  swapped = (await aSwappedCard(database.db))[2]!;
  await runAudit(database.db);
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const anchors = (text: string) => [...text.matchAll(/<li id="suspect-(\d+)"/g)].map((match) => Number(match[1]));

describe('the page of the audit', () => {
  test('shows what the API lists, with the cards, the evidence and the state', async () => {
    const { text } = await api.get('/audit', HTML);
    const [suspect] = (await api.get('/v1/audit')).json.suspects;
    expect(anchors(text)).toEqual([suspect.id]);
    expect(text).toContain('Printings whose prices look swapped · Open; the price is withheld');
    for (const { href } of suspect.items) expect(text).toContain(`<a href="${href}">`);
    expect(text).toContain(suspect.evidence[0].text);
    const { text: markdown } = await api.get('/audit.md');
    expect(markdown).toContain('| Printings whose prices look swapped | [Card 3, Base \\#3');
    expect(markdown).toContain('Open; the price is withheld');
  });

  test('is found from the footer, the sitemap and llms.txt, and its structured data is valid', async () => {
    expect((await api.get('/about', HTML)).text).toContain('<a href="/audit">Audit</a>');
    expect((await api.get('/sitemaps/pages.xml')).text).toContain(`<loc>${BASE_URL}/audit</loc>`);
    expect((await api.get('/llms.txt')).text).toContain(`(${BASE_URL}/audit.md)`);
    const { text } = await api.get('/audit', HTML);
    expect(await complaintsOf(text)).toEqual([]);
    expect(text).toContain('<link rel="alternate" type="text/markdown" href="/audit.md"/>');
  });

  test('says so on the card’s page and in its Markdown', async () => {
    const { json } = await api.get(`/v1/items/by-id/${swapped.holo}/overview`);
    const [{ href }] = json.grades;
    const why = 'withheld: these sales may be those of another card.';
    const pages = [href, json.href].map(async (one) => (await api.get(one, HTML)).text);
    for (const text of await Promise.all(pages)) {
      expect(text).toContain(why);
      expect(text).toContain('<a href="/audit">The audit has the evidence.</a>');
      // No sale stands in for the price.
      expect(text).toContain('No reference price');
      expect(text).not.toContain('not a reference price');
    }
    expect((await api.get(`${href}.md`)).text).toContain(`${why} [The audit](/audit.md) has the evidence.`);
    const { json: summaries } = await api.get(`/v1/items/summaries?ids=${swapped.holo}`);
    expect(summaries[0]).toMatchObject({ reason: 'identity_suspect', priceUsdCents: null });
    expect(summaries[0].lastSaleAt).not.toBeNull();
    expect(await withLastSales(database.db, summaries)).toEqual(summaries);
  });

  test('goes on by pages, escapes what a catalog says, and rejects what is not a cursor', async () => {
    const itemId = await anItem(database.db, { number: '9', name: '<b>&"]] | x' });
    const found = Array.from({ length: 55 }, (_, at) => ({
      ...{ kind: 'grade_inversion' as const, subject: `${at}`, game: 'gundam', score: 0.6 },
      ...{ series: [{ itemId, gradeKey: 'psa-9' }], evidence: [{ text: '<b>&"]] | x costs more', data: {} }] },
    }));
    await database.db.transaction((session) => keepFound(session, found, ['gundam']));
    await expect.poll(async () => anchors((await api.get('/audit', HTML)).text).length).toBe(50);
    const first = (await api.get('/audit', HTML)).text;
    expect(first).not.toContain('<b>&');
    const next = /href="(\/audit\?after=\d+)" rel="next"/.exec(first)![1]!;
    const second = (await api.get(next, HTML)).text;
    expect(anchors(second)).toHaveLength(6);
    expect(second).toContain('<meta name="robots" content="noindex"/>');
    expect((await api.get('/audit.md')).text).toContain('The newest 50.');
    expect((await api.get('/audit?after=x', HTML)).status).toBe(400);
    await database.db.transaction((session) => keepFound(session, [], ['gundam']));
  });

  test('says so where nothing is suspect', async () => {
    const fresh = await freshDatabase();
    const empty = await testApp(fresh.db);
    for (const path of ['/audit', '/audit.md']) expect((await empty.get(path)).text).toContain('Nothing is suspect.');
    await empty.app.close();
    await fresh.close();
  });
});

test('the desk lists an open suspect, and decides on it with a reason', async () => {
  const desk = await aDesk(database.db);
  const [{ id }] = (await api.get('/v1/audit?state=open')).json.suspects;
  const { cookie, token } = await signIn(desk, 'identities');
  const url = desk.origin + desk.base;
  const send = async (fields: Record<string, string>) => {
    const headers = { cookie, origin: desk.origin, 'sec-fetch-site': 'same-origin' };
    await ask(`${url}do/suspect`, {
      method: 'POST',
      headers,
      fields: { token, id: String(id), back: 'identities', ...fields },
    });
    return (await ask(`${url}identities`, { headers: { cookie } })).body;
  };
  expect((await ask(`${url}identities`, { headers: { cookie } })).body).toContain(
    'Printings whose prices look swapped',
  );
  expect(await send({ what: 'right' })).toContain('A decision on a suspect needs a reason.');
  expect(await send({ what: 'maybe', why: 'x' })).toContain('Choose whether the identity is right or wrong.');
  const done = await send({ what: 'right', why: 'a reprint' });
  expect(done).toMatch(new RegExp(`Suspect ${id} is right: its prices are back\\. Decision \\d+ can be taken back\\.`));
  expect(done).toContain('Nothing is suspect.');
  expect((await ask(`${url}decisions`, { headers: { cookie } })).body).toContain('Suspect right');
  await expect(decideSuspect(database.db, id, 'wrong', { by: 'ada', why: null })).rejects.toThrow('decided already');
  await desk.close();
});
