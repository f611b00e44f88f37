import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  const hostile = await anItem(db, { number: '5', name: '<b>*Evil*</b>' });
  await manySales(db, { itemId: charizard });
  await closeDays(db);
  await aCert(db, { certNumber: '40000001', itemId: charizard });
  await aCert(db, { certNumber: '40000002', itemId: charizard });
  await aSale(db, { itemId: charizard, cert: '40000001', sold: '2026-06-01', usdCents: 123_45 });
  await aSale(db, { itemId: hostile, cert: '40000001', sold: '2026-06-01', source: 'goldin', rejection: 'too_late' });
  await db.query(
    `insert into cert_changes (company, cert_key, at, field, old, new, origin)
     values ('PSA', '40000001', '2026-02-01', 'grade', 'MINT 9', '<i>GEM MT 10', 'test')`,
  );
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const textOf = async (path: string) => (await api.get(path, { accept: 'text/html' })).text;

test('the page of a slab has its sales, the changes of its record, and first what contradicts', async () => {
  const text = await textOf('/cert/PSA40000001');
  expect(text).toContain('rel="alternate" type="text/markdown" href="/cert/PSA40000001.md"');
  expect(text.indexOf('These records contradict each other')).toBeLessThan(text.indexOf('class="cert-body"'));
  expect(text).toMatch(/It was sold on \w+ on 2026-06-01 and on \w+ on 2026-06-01, the same day\./);
  expect(text).toContain('$123.45');
  expect(text).toContain('goldin, became known over a year late');
  expect(text).toContain('&lt;b>*Evil*&lt;/b>');
  expect(text).toMatch(/grade <q>MINT 9<\/q> became <q>&lt;i>GEM MT 10<\/q>/);
  expect(text).not.toMatch(/fake/i);
});

test('a slab without a record of that kind has no section of it', async () => {
  const text = await textOf('/cert/PSA40000002');
  expect(text).toContain('Charizard, PSA 10');
  expect(text).not.toMatch(/Recorded life|contradict/);
});

test('the Markdown twin says the same', async () => {
  const { text, headers } = await api.get('/cert/PSA40000001.md');
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(text).toMatch(/^# PSA 40000001: Charizard, PSA 10\n/);
  expect(text).toMatch(/Reference price: \*\*\$\d/);
  expect(text).toContain('## These records contradict each other.');
  expect(text).toMatch(/\| 1 Jun 2026 \| \$123\.45 \| \$[\d.]+ \| Charizard, PSA 10 \| ebay \|/);
  expect(text).toContain('\\<b\\>\\*Evil\\*');
  expect(text).toContain('1 Feb 2026: grade “MINT 9” became “\\<i\\>GEM MT 10”');
  expect((await api.get('/cert/psa-40000001.md')).headers.location).toBe('/cert/PSA40000001.md');
});
