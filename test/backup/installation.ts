import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { issueKey } from '../../src/access/keys.ts';
import { loadPepper, pepperPath } from '../../src/access/pepper.ts';
import { hashTables } from '../../src/backup/restore-tables.ts';
import type { RowSummary } from '../../src/backup/row-hash.ts';
import { listTables } from '../../src/backup/tables.ts';
import type { Db } from '../../src/db/client.ts';
import { restartPrices } from '../../src/pricing/restart.ts';
import { openSigner, originOf, recordKeyPath } from '../../src/receipts/record-keys.ts';
import { FILES, PAGES, ROUTES, SITE_ROUTES } from '../../src/routes.ts';
import { imageFiles } from '../../src/vision/pictures/image-store.ts';
import { BASE_URL, testApp } from '../support/app.ts';
import { aListing, anImport, anIndex, anItem, aSale, aVoid } from '../support/builders.ts';
import { aCert, aCertMiss } from '../support/servers/certs.ts';

const HASH = createHash('sha256').update('a picture').digest('hex').slice(0, 32);
const SCAN = createHash('sha256').update('a scan').digest('hex').slice(0, 32);
const MODEL = createHash('sha256').update('a model').digest('hex');
/** What COPY has to escape, and what UTF-8 is about. */
const ODD = 'Tab\there, line\nbreak, \\N and \\., "quotes", é 卡 \u{1f0cf}';

/** Fills an installation: an index with its closes, and rows of every kind of value. Returns the items of the index. */
export async function fillInstallation(db: Db, dataDir: string): Promise<{ items: string[] }> {
  const items = await anIndex(db);
  // An older sale moves every price of now: what was published before is in tables of its own.
  await aSale(db, { itemId: items[0]!, sold: '2025-12-20', usdCents: 90_00 });
  await restartPrices(db);
  const pepper = await loadPepper(db, pepperPath({ dataDir }));
  await openSigner(db, recordKeyPath({ dataDir }), originOf(BASE_URL));
  const key = await issueKey(db, pepper, 'the shop');
  const itemId = await anItem(db, { number: '58', name: 'Pikachu', upstreamItemId: 'shop-1' });
  const sale = await aSale(db, { itemId, url: 'https://shop.example/1', cert: '12345678' });
  await aSale(db, { itemId, rejection: 'absurd_price', usdCents: null });
  await aVoid(db, sale, 'voided', '2026-06-28');
  await aListing(db, { itemId, firstSeen: '2026-06-01', lastSeen: '2026-06-29' });
  await aCert(db, { certNumber: '30000001', itemId, imageFront: `/images/${SCAN}-734.webp`, imageBack: null });
  await aCertMiss(db, { certKey: '1', reason: 'not_found', warning: ODD, since: '2026-06-30T00:00:00Z' });
  const withdrawn = await anItem(db, { number: '59', name: 'Raichu' });
  await db.query('update items set removed_at = now(), facts = $2 where id = $1', [withdrawn, { odd: ODD, n: 1e21 }]);
  const importId = await anImport(db);
  for (const [text, ...values] of [
    [`insert into fx_rates values ('EUR', 20000, $1), ('JPY', 20000, 'infinity')`, 0.1 + 0.2],
    [`insert into csv_layouts (name, layout) values ('shop', $1)`, { map: { price: ODD } }],
    [`insert into crawl_states (item_id, grade_key, value_usd_cents) values ($1, 'psa-10', 123456)`, itemId],
    [`insert into rejected_rows values ('\\x00ff0a5c', $1, 7, 'bad_price', $2, $2)`, importId, ODD],
    [`insert into waiting_sales values ('ebay', 'w1', $2, 'card_unknown', null, $1, 8)`, importId, { title: ODD }],
    [`insert into watched_files values ('drop', '\\x01', 'a.csv', '2026-06-01T00:00:00.123456Z', $1)`, ODD],
    [`insert into service_clients (id, day, calls, latencies_ms) values ('psa', 20000, 3, '{1,NULL,3}')`],
    [`insert into quota_budgets values ('daily', '198.51.100.0', 20000, 1, 10)`],
    [
      `insert into submissions (id, kind, fields, content_hash, sent_by_key, received_at)
      values ('s1', 'report', $1, '\\x02', $2, now())`,
      { text: ODD },
      key.id,
    ],
    [`insert into intake_idempotency values ('\\x03', '\\x04', 's1', now())`],
    [
      `insert into item_sources (space, source_id, item_id, import_id) values ('tcgdex', 'x', $1, $2)`,
      itemId,
      importId,
    ],
    [`insert into populations values ($1, 'PSA', 20000, 'psa-10', 5, 'psa', $2)`, itemId, importId],
    [`insert into set_sources select game, 'tcgdex', segment, id from sets`],
    [`insert into tags (kind, slug, name, aliases) values ('artist', 'ken', $1, $2)`, ODD, ['a"b', 'c,d', ODD]],
    [`insert into item_tags select id, $1, 'file' from tags`, itemId],
    [`insert into item_images (item_id, hash, width, height) values ($1, '${HASH}', 734, 1024)`, itemId],
    [`insert into item_vectors (item_id, model, vector) values ($1, 'm', $2)`, itemId, Buffer.from([0, 10, 92, 255])],
    [`insert into vector_spaces (model, vectors, impostor_scores, impostor_margin) values ('m', 1, '{0.1,NaN}', 0.5)`],
    [`insert into models values ('mobileclip-s2', '${MODEL}', 'in', 'out', '\\x05')`],
    [`insert into valuation_events values (1, 0, 'result', '{}')`],
  ] as [string, ...unknown[]][])
    await db.query(text, values);
  for (const [file, content] of [
    ...[...imageFiles(HASH), ...imageFiles(SCAN)].map((name) => [name, `picture ${name}`]),
    [`models/${MODEL}.onnx`, 'a model'.repeat(100_000)],
  ] as [string, string][]) {
    mkdirSync(dirname(join(dataDir, file)), { recursive: true });
    writeFileSync(join(dataDir, file), content);
  }
  return { items: [...items, itemId, withdrawn] };
}

/** How many rows each table of a backup has, and their hash. */
export function tableHashes(db: Db): Promise<Map<string, RowSummary>> {
  return db.session(async (session) => {
    // As it is in a backup, whatever the server's own settings.
    await session.query(`set timezone = 'UTC'; set datestyle = 'ISO, MDY'`);
    return await hashTables(session, await listTables(session));
  });
}

/** What says how the process is, not what it serves; the reference, whose samples are of the moment; a model that is not there. */
const NOT_COMPARED = [
  ...['/health', '/v1/health', '/ready', '/v1/status', '/status', '/metrics'],
  ...['/api', '/v1/search/embedding-model'],
];

/** An address of each route, page and file that is read, for an item; the pattern comes before it. */
function addressesOf(id: string, href: string): string[] {
  const [game = '', set = '', card = ''] = new URL(href, BASE_URL).pathname.split('/').slice(2);
  const values: Record<string, string> = {
    ...{ game, set, card, item: card, id, rid: 'shop-1', space: 'tcgdex', cert: '30000001', certs: '30000001' },
    ...{ date: '2026-06-29', kind: 'artist', q: 'card', code: 'not-found', slug: 'pokemon', grade: 'psa-10', ids: id },
  };
  const read = [...ROUTES, ...SITE_ROUTES].filter(
    ({ endpoint }) => !(endpoint.body || endpoint.upload || endpoint.isStream),
  );
  return [
    ...read.map(({ path, endpoint }) => ({ path, required: (endpoint.query?.required ?? []) as string[] })),
    ...[...PAGES, ...FILES].map(({ path }) => ({ path, required: [] })),
  ]
    .filter(({ path }) => !NOT_COMPARED.includes(path))
    .map(({ path, required }) => {
      const query = new URLSearchParams(required.map((name) => [name, values[name] ?? 'x']));
      return `${path} ${path.replace(/:(\w+)|\*/g, (_, name) => values[name] ?? 'x')}?${query}`;
    });
}

/** What a server answers on a list of routes, which are there, and on every route of the tables: status and body by path. */
export async function answersOf(db: Db, dataDir: string, items: readonly string[]): Promise<Map<string, string>> {
  const api = await testApp(db, { env: { MINTMARK_DATA: dataDir } });
  const hrefs = await Promise.all(
    items.slice(0, 2).map(async (id) => (await api.get(`/v1/items/by-id/${id}`)).json.href as string),
  );
  const paths = [
    ...items
      .slice(0, 3)
      .concat(items.slice(-2))
      .flatMap((id) =>
        ['', '/overview', '/trades', '/series?grade=psa-10', '/fmv-series?grade=psa-10'].map(
          (view) => `/v1/items/by-id/${id}${view}`,
        ),
      ),
    ...hrefs.flatMap((href) => [href, `${href}.md`].map((address) => new URL(address, BASE_URL).pathname)),
    '/v1/items/by-upstream-id/shop-1',
    `/v1/receipts/${items[0]}/psa-10/2026-06-29`,
    ...['games', 'sets?game=pokemon', 'search?q=card+7', 'tags?kind=artist', 'trades/recent', 'graded/30000001'],
    ...['indices', 'indices/pokemon', 'indices/pokemon/series', 'indices/pokemon/levels.csv'],
    ...['record', 'record/2026-06-29', 'accuracy', 'corrections'],
  ].map((path) => (path.startsWith('/') ? path : `/v1/${path}`));
  paths.push('/', '/indices/pokemon', '/movers', '/sales', '/sitemap.xml', '/accuracy', '/corrections');
  paths.push(`/images/${HASH}-734.webp`, `/images/${SCAN}-245.webp`);
  const answers = new Map<string, string>();
  for (const path of [...paths, ...addressesOf(items[0]!, hrefs[0]!)]) {
    const { status, text } = await api.get(path.split(' ').at(-1)!);
    answers.set(path, `${status} ${text.replace(/"requestId":"[^"]+"/, '')}`);
  }
  await api.app.close();
  return answers;
}
