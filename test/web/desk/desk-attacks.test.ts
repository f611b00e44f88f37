import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { LINK_MS, SESSION_MS } from '../../../src/web/desk/desk-session.ts';
import { csv, importFile, rowOf, salesFiles } from '../../sales/import-world.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aDesk, ask, signIn } from './desk-world.ts';

let fresh: FreshDatabase;
let db: Db;
let desk: Awaited<ReturnType<typeof aDesk>>;
let nowMs: number;
const NOBODY = '11111111-1111-4111-8111-111111111111';

beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  nowMs = Date.parse('2026-11-21T12:00:00Z');
  desk = await aDesk(db, { clock: () => nowMs });
  const files = salesFiles();
  await importFile(db, files.write(csv(rowOf(NOBODY))));
  files.remove();
});
afterEach(async () => {
  await desk.close();
  await fresh.close();
});

const drop = { source: 'ebay', saleId: '1', what: 'drop' };
const decisions = () => db.query('select kind, decided_by, why from decisions');
const page = () => desk.origin + desk.base;

/** Sends the form that drops the sale, as a browser with the session does; `change` is what the attack does differently. */
async function send(change: { headers?: Record<string, string>; fields?: Record<string, string>; host?: string } = {}) {
  const { cookie, token } = await signIn(desk, 'unmatched');
  const { host, headers = {}, fields = {} } = change;
  return await ask(`${page()}do/sale`, {
    method: 'POST',
    headers: { cookie, origin: desk.origin, 'sec-fetch-site': 'same-origin', ...headers },
    fields: { ...drop, token, ...fields },
    ...(host !== undefined && { host }),
  });
}

test('a form of the desk itself is done, and kept with who decided', async () => {
  expect((await send({ fields: { why: 'a poster' } })).status).toBe(303);
  expect(await decisions()).toEqual([{ kind: 'drop_sale', decided_by: 'ada', why: 'a poster' }]);
});

test.each([
  ['unmatched?from=20', 'unmatched?from=20'],
  ['https://evil.example', ''],
  ['//evil.example', ''],
  ['../../x', ''],
  [`x${'?'.padEnd(700, 'y')}`, ''],
])('a form that comes from %s goes back to "%s" of the desk', async (back, to) => {
  const { headers } = await send({ fields: { back } });
  expect(headers.location).toBe(desk.base + to);
});

describe('nothing is decided by', () => {
  test.each([
    ['a page of another site', { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }, 403],
    [
      'another program of this machine',
      { headers: { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' } },
      403,
    ],
    [
      'a browser without Fetch Metadata, of another site',
      { headers: { origin: 'https://evil.example', 'sec-fetch-site': '' } },
      403,
    ],
    ['a page that a browser says is of another port', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['a page whose origin is hidden', { headers: { origin: 'null' } }, 403],
    ['a request without an origin', { headers: { origin: '' } }, 403],
    ['a form without the token', { fields: { token: '' } }, 403],
    ['a form with the token of another desk', { fields: { token: 'A'.repeat(43) } }, 403],
    ['a request without the cookie', { headers: { cookie: '' } }, 403],
    ['a request with the cookie of another desk', { headers: { cookie: `mintmark-desk=${'A'.repeat(43)}` } }, 403],
    ['a name that resolves to this machine', { host: 'rebound.evil.example' }, 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['a proxy', { headers: { 'x-forwarded-for': '203.0.113.9' } }, 403],
    ['JSON', { headers: { 'content-type': 'application/json' } }, 415],
    ['a form of over 16 kB', { fields: { why: 'x'.repeat(20_000) } }, 413],
  ])('%s', async (_who, change, status) => {
    expect((await send(change)).status).toBe(status);
    expect(await decisions()).toEqual([]);
  });
});

describe('the link', () => {
  test('opens the desk once: the second time it is of no use, and the first session stays', async () => {
    const { cookie, entered } = await signIn(desk, '');
    expect(entered.status).toBe(200);
    const again = await ask(desk.link);
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.body).toContain('used already');
    expect((await ask(page(), { headers: { cookie } })).status).toBe(200);
  });

  test('that is wrong opens nothing and does not use up the right one', async () => {
    const wrong = await ask(`${page()}enter/${'A'.repeat(43)}`);
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await ask(desk.link)).status).toBe(200);
  });

  test('is void after 15 minutes, a session after 12 hours', async () => {
    nowMs += LINK_MS + 1;
    expect((await ask(desk.link)).status).toBe(403);
    nowMs -= LINK_MS + 1;
    const { cookie } = await signIn(desk, '');
    nowMs += SESSION_MS + 1;
    expect((await ask(page(), { headers: { cookie } })).status).toBe(403);
  });
});

describe('the desk', () => {
  test('shows nothing to a request without its cookie, whatever the address', async () => {
    for (const path of ['', 'unmatched', 'site.css', 'nowhere']) {
      const { status, body } = await ask(page() + path);
      expect([path, status]).toEqual([path, 403]);
      expect(body).not.toContain('Test Prices');
    }
    expect((await ask(`${desk.origin}/`)).status).toBe(403);
  });

  test('sets one cookie, for its own folder, out of reach of scripts and of other sites', async () => {
    const { entered } = await signIn(desk, '');
    expect(entered.headers['set-cookie']).toHaveLength(1);
    expect(entered.headers['set-cookie']![0]).toMatch(
      new RegExp(`^mintmark-desk=[\\w-]{43}; Path=${desk.base}; HttpOnly; SameSite=Strict$`),
    );
    expect(desk.base).toMatch(/^\/[\w-]{16}\/$/);
  });

  test('lets nothing run, frame it, keep it or learn its address', async () => {
    const { cookie } = await signIn(desk, '');
    for (const path of ['', 'unmatched', 'nowhere']) {
      const { headers, body } = await ask(page() + path, { headers: { cookie } });
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(body).not.toMatch(/<script|<style|style=|onclick|javascript:/);
    }
  });

  test('listens on 127.0.0.1 alone, and denies an address that is not of this machine', async () => {
    expect(desk.app.server.address()).toMatchObject({ address: '127.0.0.1' });
    const { port } = desk.app.server.address() as { port: number };
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && !one.internal && one.family === 'IPv4');
    for (const { address } of others as { address: string }[])
      await expect(ask(`http://${address}:${port}${desk.base}`)).rejects.toThrow('ECONNREFUSED');
    const headers = { host: `127.0.0.1:${port}` };
    for (const [remoteAddress, status] of [
      ['10.0.0.7', 403],
      ['::ffff:10.0.0.7', 403],
      ['127.0.0.1.evil', 403],
      ['127.0.0.1', 200],
    ] as const) {
      const answer = await desk.app.inject({ url: new URL(desk.link).pathname, remoteAddress, headers });
      expect([remoteAddress, answer.statusCode]).toEqual([remoteAddress, status]);
    }
  });

  test('shows what strangers sent as text', async () => {
    const hostile = '"><script>alert(1)</script><a href=javascript:alert(2)>x';
    await db.query(
      `insert into submissions (id, kind, fields, content_hash, received_at)
       values (gen_random_uuid(), 'report', $1, '', now()), (gen_random_uuid(), 'application', $2, '', now())`,
      [
        { message: hostile, category: hostile, sourceUrl: 'javascript:alert(3)', cardHref: 'javascript:alert(4)' },
        { shopName: hostile, region: hostile, salesFormat: hostile, contactEmail: hostile },
      ],
    );
    await db.query(
      `update waiting_sales set sale = sale || jsonb_build_object('title', $1::text, 'url', 'javascript:alert(5)')`,
      [hostile],
    );
    const { cookie } = await signIn(desk, '');
    for (const path of ['reports', 'applications', 'unmatched']) {
      const { body, status } = await ask(page() + path, { headers: { cookie } });
      expect([path, status]).toEqual([path, 200]);
      expect(body).toContain('&lt;script>alert(1)');
      expect(body).not.toMatch(/<script|href="javascript/);
    }
  });
});
