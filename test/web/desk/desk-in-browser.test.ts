import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { pauseService } from '../../../src/desk/pause-service.ts';
import { keepFault, takeTry } from '../../../src/http/outbound/service-client-state.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { dropSale } from '../../../src/sales/deciding/drop-sale.ts';
import { listUnmatched, rematch } from '../../../src/sales/import/waiting.ts';
import { anApplication, aReport } from '../../intake/forms.ts';
import { csv, importFile, rowOf, salesFiles } from '../../sales/import-world.ts';
import { seen } from '../../sales/undoing/undo-world.ts';
import { chromiumPath, launchBrowser, type Watched, watchedPage } from '../../support/browser.ts';
import { anItem, aSet, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aDesk } from './desk-world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TODAY = parseDay('2026-05-02')!;

const SOURCES = [
  { id: 'ebay-us', name: 'eBay', kind: 'ebay-browse' },
  { id: 'other', name: 'Another market', kind: 'ebay-browse' },
];

type Violation = { id: string; nodes: { html: string }[] };

let browser: Browser;
let fresh: FreshDatabase;
let db: Db;
let desk: Awaited<ReturnType<typeof aDesk>>;
let watched: Watched;
let page: Page;
let charizard: string;
const files = salesFiles();

describe.skipIf(chromiumPath === null)('in a browser without scripts', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    files.remove();
  });
  beforeEach(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    charizard = await anItem(db, { set: await aSet(db, { name: 'Base Set', code: 'base1', year: 1999 }) });
    await anItem(db, { set: await aSet(db, { name: 'Celebrations', code: 'cel25', year: 2021 }) });
    desk = await aDesk(db, { clock: () => TODAY * 86_400_000, connections: { graders: [], sources: SOURCES } });
    watched = await watchedPage(browser, desk.origin, { javaScriptEnabled: false });
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign).toEqual([]);
    await watched.close();
    await desk.close();
    await fresh.close();
  });

  const load = (text: string) => importFile(db, files.write(text), TODAY);
  /** A click returns before the page that a link leads to is there. */
  const follow = async (link: Locator) => {
    const loaded = page.waitForEvent('load');
    await link.click();
    await loaded;
  };
  const section = (name: string) =>
    follow(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }));
  const enter = async () => {
    await page.goto(desk.link);
    await page.waitForURL(desk.origin + desk.base);
  };
  /** The text of the notice of the last decision. */
  const notice = () => page.locator('.notice').first().innerText();
  const takeBack = async (why: string) => {
    await section('Decisions');
    await page.getByText('Take back', { exact: true }).locator('visible=true').nth(1).click();
    await page.getByLabel('Why').fill(why);
    await page.getByRole('button', { name: 'Take back' }).click();
    expect(await notice()).toMatch(/is taken back: /);
  };
  const decisions = () =>
    db.query('select kind, decided_by as by, why, taken_back_by as back, taken_back_why as "backWhy" from decisions');

  /** The first source has failed so often that it is not called for a minute. */
  const serviceFails = () => {
    const nowMs = TODAY * 86_400_000;
    const fault = {
      nowMs,
      reason: 'server_error',
      counts: true,
      opensAfter: 1,
      coolDownMs: 60_000,
      retryAfterMs: null,
    };
    return takeTry(db, 'ebay-us', { nowMs, budgetPerDay: null, leaveUnits: 0, probeMs: 1000, waited: false }).then(() =>
      keepFault(db, 'ebay-us', fault),
    );
  };

  const title = (text: string) => `title,price,currency,sold_at,source,sale_id\n"${text}",100,USD,2026-05-01,ebay,7\n`;
  const waits = async () => (await listUnmatched(db, 10)).sales.map(({ sourceSaleId }) => sourceSaleId);

  test('an unmatched sale is put on one of its candidates, and taken back', async () => {
    await load(title('Charizard 4 PSA 10'));
    expect(await waits()).toEqual(['7']);
    await enter();
    await section('Unmatched');
    const form = page.getByRole('form', { name: 'Decide on ebay 7' });
    expect(await form.locator('input[type=radio]').count()).toBe(2);
    await expect.poll(() => form.innerText()).toMatch(/Charizard, Base Set.*Not taken: /s);
    await form
      .getByRole('radio')
      .nth((await form.innerText()).indexOf('Base Set') < (await form.innerText()).indexOf('Celebrations') ? 0 : 1)
      .check();
    await form.getByLabel('Why').fill('seen the picture');
    await form.getByRole('button', { name: 'Put on this card' }).click();
    expect(await notice()).toContain('ebay 7 is a sale of Charizard, Base Set #4 in PSA 10.');
    expect(page.url()).toBe(`${desk.origin}${desk.base}unmatched`);
    expect([await seen(db, charizard), await waits()]).toEqual([['$100'], []]);
    await takeBack('it was not');
    expect([await seen(db, charizard), await waits()]).toEqual([[], ['7']]);
    expect(await decisions()).toEqual([
      { kind: 'match_sale', by: 'ada', why: 'seen the picture', back: 'ada', backWhy: 'it was not' },
    ]);
  });

  test('an unmatched sale is put on a card that is named by its address, in another grade', async () => {
    await load(title('Dark Raichu holo'));
    const [{ id8 }] = (await db.query<{ id8: string }>('select id8 from items where id = $1', [charizard])) as [
      { id8: string },
    ];
    await enter();
    await section('Unmatched');
    const form = page.getByRole('form', { name: 'Decide on ebay 7' });
    await form.getByLabel('The card').fill('/card/pokemon/nowhere/1-nothing-00000000');
    await form.getByRole('button', { name: 'Put on this card' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('/card/pokemon/nowhere');
    await form.getByLabel('The card').fill(`https://prices.example/card/pokemon/base-set-base1/4-charizard-${id8}`);
    await form.getByLabel('Grade').selectOption('bgs-9-5');
    await form.getByRole('button', { name: 'Put on this card' }).click();
    expect(await notice()).toContain('is a sale of Charizard');
    expect(await db.query('select grade_key from sales')).toEqual([{ grade_key: 'bgs-9-5' }]);
  });

  test('a name that titles use is taught, and taken back', async () => {
    await load(title('Pokemon Charizard 4/102 Cele Brate PSA 10'));
    expect(await waits()).toEqual(['7']);
    await enter();
    await section('Unmatched');
    await page.getByText('Teach a name').click();
    const form = page.getByRole('form', { name: 'Teach a name, ebay-7' });
    await form.getByLabel('Game').selectOption('pokemon');
    await form.getByLabel('Words of the title').fill('cele brate');
    await form.getByLabel('The set or card that they mean').fill('Celebration');
    await form.getByRole('button', { name: 'Teach' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('is called "Celebration"');
    await page.getByText('Teach a name').click();
    await form.getByLabel('Game').selectOption('pokemon');
    await form.getByLabel('Words of the title').fill('cele brate');
    await form.getByLabel('The set or card that they mean').fill('celebrations');
    await form.getByRole('button', { name: 'Teach' }).click();
    expect(await notice()).toContain('In titles, “cele brate” means Celebrations.');
    expect((await rematch(db, { today: TODAY })).added).toBe(1);
    await takeBack('they mean another set');
    expect(await page.locator('main').innerText()).toContain('Name taught');
    expect(await decisions()).toMatchObject([{ kind: 'title_alias', by: 'ada', back: 'ada' }]);
  });

  test('a sale is dropped, and taken back', async () => {
    await load(title('Dark Raichu holo'));
    await enter();
    await section('Unmatched');
    await page.getByRole('button', { name: 'Drop the sale' }).click();
    expect(await notice()).toContain('ebay 7 is dropped');
    expect(await waits()).toEqual([]);
    await takeBack('a card after all');
    expect(await waits()).toEqual(['7']);
  });

  test('a recorded sale far from the expected price is a suspect: it is dropped, and taken back', async () => {
    await manySales(db, { itemId: charizard, from: '2026-01-03', to: '2026-04-25', everyDays: 3, usdCents: 60_00 });
    await load(csv(rowOf(charizard, { price: '6000', sale_id: 'far' })));
    await reprice(db, { through: TODAY });
    await enter();
    await section('Suspects');
    const doubted = page.locator('main');
    expect(await doubted.innerText()).toMatch(/Charizard, Base Set #4, PSA 10.*\$6,000.*ebay far/s);
    await doubted.getByText('Decide on this sale').click();
    await doubted.getByRole('button', { name: 'Drop the sale' }).click();
    expect(await notice()).toContain('ebay far is dropped');
    expect(await page.getByText('Decide on this sale').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain('the price follows at the next close');
    expect(await seen(db, charizard)).toContain('dropped');
    await takeBack('it was sold');
    expect(await seen(db, charizard)).toContain('$6000');
  });

  const submitted = async (kind: string, fields: object) =>
    db.query(
      `insert into submissions (id, kind, fields, content_hash, received_at) values (gen_random_uuid(), $1, $2, '', now())`,
      [kind, fields],
    );
  const states = () => db.query('select state, correction from submissions');

  test('a report is accepted with its published reason, and taken back', async () => {
    await submitted('report', aReport());
    await enter();
    await section('Reports');
    await page.getByLabel('Reason').fill('Its price was that of another printing.');
    await page.getByRole('button', { name: 'Accept and publish the reason' }).click();
    expect(await notice()).toContain('The report is accepted');
    expect(await states()).toEqual([{ state: 'accepted', correction: 'Its price was that of another printing.' }]);
    await takeBack('it was right');
    expect(await states()).toEqual([{ state: 'open', correction: null }]);
  });

  test('an application gets a key that is shown once, and is revoked when it is taken back', async () => {
    await submitted('application', anApplication());
    await enter();
    await section('Applications');
    await page.getByRole('button', { name: 'Reject' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('A rejection needs a reason');
    await page.getByRole('button', { name: 'Accept and issue a key' }).click();
    const shown = await notice();
    expect(shown).toMatch(/X-Api-Key: \S+\s+X-Api-Secret: \S{20,}/);
    expect(shown).toContain('owner@shop.example');
    const secret = /X-Api-Secret: (\S+)/.exec(shown)![1]!;
    await page.reload();
    expect(await page.content()).not.toContain(secret);
    const keys = () => db.query('select revoked_at is not null as revoked from api_keys');
    expect(await keys()).toEqual([{ revoked: false }]);
    await takeBack('not a shop');
    expect(await keys()).toEqual([{ revoked: true }]);
    expect(await states()).toEqual([{ state: 'open', correction: null }]);
  });

  test('an import is undone after its effect was shown, and taken back', async () => {
    await load(csv(rowOf(charizard, { sale_id: 'a' }), rowOf(charizard, { sale_id: 'b', price: 'cheap' })));
    await enter();
    await section('Rejected rows');
    expect(await page.locator('table').innerText()).toMatch(/bad price\s+bad_price/);
    await follow(page.locator('table').getByRole('link'));
    expect(await page.locator('main').innerText()).toContain(
      '1 sale taken out, 1 rejected row off the lists; 1 price of 1 card changes',
    );
    await page.getByLabel('Why').fill('the wrong file');
    await page.getByRole('button', { name: /^Undo import/ }).click();
    expect(await notice()).toContain('is undone: 1 sale taken out');
    expect(await seen(db, charizard)).toEqual([]);
    await takeBack('the right file');
    expect(await seen(db, charizard)).toEqual(['$100']);
  });

  test('its pages have 50 rows and lead on', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, n) => `"Dark Raichu ${n}",100,USD,2026-05-01,ebay,s${String(n).padStart(3, '0')}`,
    );
    await load(`title,price,currency,sold_at,source,sale_id\n${rows.join('\n')}\n`);
    const bad = Array.from({ length: 60 }, (_, n) => rowOf(charizard, { sale_id: `b${n}`, price: 'cheap' }));
    await load(csv(...bad));
    await enter();
    expect(await page.locator('.desk-waiting').innerText()).toMatch(/120[\s\S]*60/);
    await section('Unmatched');
    const shown: string[] = [];
    for (const size of [50, 50, 20]) {
      const names = await page
        .getByRole('form')
        .evaluateAll((forms) => forms.map((form) => form.getAttribute('aria-label')!));
      expect(names).toHaveLength(size);
      shown.push(...names);
      if (size === 50) await follow(page.getByRole('link', { name: 'Next page' }));
    }
    expect(new Set(shown).size).toBe(120);
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    await section('Rejected rows');
    expect(await page.locator('tbody tr').count()).toBe(50);
    await follow(page.getByRole('link', { name: 'Next page' }));
    expect(await page.locator('tbody tr').count()).toBe(10);
  });

  test('a service is paused and resumed, and one that fails is called again', async () => {
    await serviceFails();
    await enter();
    await section('Sources');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const change = async (name: string, button: string, why = '') => {
      await row(name).getByText('Change').click();
      const form = page.getByRole('form', { name: `Calls of ${name}` });
      await form.getByLabel('Why').fill(why);
      await form.getByRole('button', { name: button }).click();
    };
    await expect.poll(() => row('eBay').innerText()).toMatch(/Not called for a while\s+its own error/);
    await change('eBay', 'Call it again now');
    expect(await notice()).toBe('The faults of ebay-us are forgotten; the next call is made.');
    await change('Another market', 'Pause', 'it mixes languages');
    expect(await notice()).toMatch(/^other is paused\. Decision \d+ can be taken back\.$/);
    expect(await row('Another market').innerText()).toContain('Paused');
    await change('Another market', 'Resume', 'mended');
    expect(await notice()).toBe('other is called again.');
    expect(await row('Another market').innerText()).toContain('Not called');
    expect(await decisions()).toEqual([
      { kind: 'pause_service', by: 'ada', why: 'it mixes languages', back: 'ada', backWhy: 'mended' },
    ]);
  });

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('every page is clean of axe and of overflow: %s, %i px', async (colorScheme, width) => {
    await manySales(db, { itemId: charizard, from: '2026-01-03', to: '2026-04-25', everyDays: 3, usdCents: 60_00 });
    await load(
      csv(rowOf(charizard, { price: '6000', sale_id: 'far' }), rowOf(charizard, { sale_id: 'b', price: 'cheap' })),
    );
    await load(title('Charizard 4 PSA 10'));
    await reprice(db, { through: TODAY });
    await submitted('report', aReport());
    await submitted('application', anApplication());
    await load(title('Dark Raichu holo').replace(',7', ',8'));
    const { id } = (await db.query<{ id: number }>(`select max(id)::int as id from imports where kind = 'sales'`))[0]!;
    await dropSale(db, { source: 'ebay', saleId: '8' }, { by: 'ada', why: 'a drawing' }, TODAY);
    await serviceFails();
    await pauseService({ db, connections: { graders: [], sources: SOURCES as never }, today: TODAY }, 'other', {
      by: 'ada',
      why: 'it mixes languages',
    });
    const other = await watchedPage(browser, desk.origin, {
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    await other.page.goto(desk.link);
    await other.page.waitForURL(desk.origin + desk.base);
    for (const path of [
      '',
      'unmatched',
      'suspects',
      'reports',
      'applications',
      'rejected',
      'sources',
      'imports',
      `imports?id=${id}`,
      'decisions',
    ]) {
      await other.page.goto(desk.origin + desk.base + path);
      await other.page.evaluate(AXE);
      const found = await other.page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
        return (await axe.run()).violations.map((one) => `${one.id}: ${one.nodes[0]!.html}`);
      });
      expect([path, found]).toEqual([path, []]);
      const overflow = await other.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([path, overflow]).toEqual([path, 0]);
      if (process.env.DESK_PICTURES)
        await other.page.screenshot({
          path: `${process.env.DESK_PICTURES}/${path.replace(/\W/g, '-') || 'home'}-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
    await other.close();
  });
});
