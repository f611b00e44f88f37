import fc from 'fast-check';
import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE_URL, type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { blockOf, complaintsOf, isMissingOffers } from '../../support/structured-data.ts';

let database: FreshDatabase;
let web: TestApp;
let itemId: string;
let href: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  itemId = await anItem(db, { set: await aSet(db, { name: 'Plain' }) });
  await manySales(db, { itemId });
  await closeDays(db);
  web = await testApp(db);
  href = (await web.get(`/v1/items/by-id/${itemId}`)).json.href;
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const named = (name: string) =>
  database.db.query('update items set name = $2, variation = $2, number = left($2, 20) where id = $1', [itemId, name]);

/** Text that PostgreSQL keeps: no NUL, no half of a pair. */
const hostile = fc
  .oneof(
    fc.constantFrom(
      '</script><script>alert(1)</script>',
      '<!--<script>',
      '"><img src=x onerror=alert(1)>',
      '{{7*7}}`',
      '\u202eevil\u202c',
      'مرحبا بالعالم',
      '🐉🔥👩‍👩‍👧‍👦',
      '&amp;&lt;&#0;',
      '\u0001\u001b[31m\u2028\u2029\ufffe',
      '| a | b |\n# head',
      'x'.repeat(400),
      '長'.repeat(400),
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  )
  .filter((text) => !/\0|\p{Surrogate}/u.test(text) && text.trim() !== '');

describe('a card of any name', () => {
  test('has a page in which the name is text, whatever its characters', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        await named(name);
        const { status, text } = await web.get(href);
        expect(status).toBe(200);
        expect(blockOf(text, 'Product').name).toContain(name);
        // Scripts are ours: two files, the blocks and the chart's numbers.
        const scripts = [...text.matchAll(/<script([^>]*)>/gi)].map(([, attributes]) => attributes!.trim());
        expect(scripts.every((one) => /^type="(module" src="\/assets\/|application\/(ld\+)?json"$)/.test(one))).toBe(
          true,
        );
        expect(text.match(/<\/script/gi)).toHaveLength(scripts.length);
        expect(text).not.toMatch(/<img src=x|<!--/);
        expect((await complaintsOf(text)).filter((one) => !isMissingOffers(one))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('has Markdown in which the name is one line of text', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        await named(name);
        const { status, text } = await web.get(`${href}.md`);
        expect(status).toBe(200);
        expect(text.split('\n')[1]).toBe('');
        expect(text.split('\n')[0]).not.toMatch(/(?<!\\)[<|[\]]/);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    '![pixel](https://evil.example/p.png)',
    'https://evil.example/ http://evil.example/x',
    'www.evil.example',
    'me@evil.example',
    '[text](javascript:alert(1))',
    '<https://evil.example>',
    '<img src=https://evil.example/p.png>',
    '](https://evil.example) [x',
    '\\](https://evil.example)',
    '| a | b | https://evil.example',
  ])('has Markdown that renders “%s” as text: no link, image or HTML of the name', async (name) => {
    await named(name);
    const { text } = await web.get(`${href}.md`);
    const html = await marked.parse(text, { gfm: true });
    const addresses = [...html.matchAll(/<(?:a|img)[^>]*(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.filter((address) => !address.startsWith('/card/') && !address.startsWith(BASE_URL))).toEqual([]);
    expect(html).not.toMatch(/<img/);
    const [, heading] = /<h1>(.*)<\/h1>/.exec(html)!;
    expect(heading).not.toMatch(/<a/);
  });

  test('has a picture for those who share it', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        await named(name);
        const { status, headers } = await web.get(`${href}.png`);
        expect({ name, status, type: headers['content-type'] }).toEqual({ name, status: 200, type: 'image/png' });
      }),
      { numRuns: 15 },
    );
  });
});
