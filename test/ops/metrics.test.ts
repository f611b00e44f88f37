import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openMetrics } from '../../src/ops/metrics/metrics.ts';
import { serveMetrics } from '../../src/ops/metrics/metrics-server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  await anItem(database.db, {});
  api = await testApp(database.db, { cacheMb: 8, env: { METRICS_TOKEN: 'a-long-token' } });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const scrape = (authorization = 'Bearer a-long-token') => api.get('/metrics', { authorization });

/** The value of a series in the text of a scrape; null if it is not there. */
function seriesValue(text: string, series: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

describe('/metrics', () => {
  test('is for the bearer of the token, and absent without one', async () => {
    expect((await scrape()).status).toBe(200);
    expect((await scrape('Bearer a-long-toke')).status).toBe(401);
    expect((await scrape('')).status).toBe(401);
    const without = await testApp(database.db, {});
    expect((await without.get('/metrics', { authorization: 'Bearer null' })).status).toBe(404);
    await without.app.close();
  });

  test('counts requests by the pattern of their route, never by address', async () => {
    const count = async () =>
      seriesValue(
        (await scrape()).text,
        'mintmark_http_request_duration_seconds_count{route="/v1/games",method="GET",status="200"}',
      ) ?? 0;
    const before = await count();
    await api.get('/v1/games?x=1');
    await api.get('/v1/games?x=2');
    expect((await count()) - before).toBe(2);
    await api.get('/nothing/here');
    const { text } = await scrape();
    expect(text).not.toContain('nothing/here');
    expect(text).toContain('route="none"');
  });

  test('has a backup of 1970 where BACKUP_DIR is set and none was made, for its alert', async () => {
    const series = 'mintmark_last_backup_timestamp_seconds';
    expect(seriesValue((await scrape()).text, series)).toBeNull();
    const env = { METRICS_TOKEN: 'a-long-token', BACKUP_DIR: '/var/backups/mintmark' };
    const scheduled = await testApp(database.db, { env });
    const { text } = await scheduled.get('/metrics', { authorization: 'Bearer a-long-token' });
    expect(seriesValue(text, series)).toBe(0);
    await scheduled.app.close();
  });

  test('has the state of the installation', async () => {
    const [row] = await database.db.query<{ id: number }>(
      `insert into imports (kind, format, started_at) values ('sales', 'csv', now() - interval '2 hours') returning id`,
    );
    await database.db.query(`insert into sources (id, display_name) values ('shop', 'Shop') on conflict do nothing`);
    await database.db.query(
      `insert into waiting_sales (source, source_sale_id, sale, reason, import_id, line)
       values ('shop', 'w1', '{}', 'card_unknown', $1, 1)`,
      [row!.id],
    );
    // Figures are kept for ten seconds of the clock, which stands still in tests.
    const clock = () => api.context.clock() + 60_000;
    const text = await openMetrics({ ...api.context, clock }).text();
    expect(seriesValue(text, 'mintmark_waiting_sales')).toBe(1);
    expect(seriesValue(text, 'mintmark_unfinished_imports')).toBe(1);
    expect(seriesValue(text, 'mintmark_database_bytes')).toBeGreaterThan(1e6);
    expect(seriesValue(text, 'mintmark_photos{state="waiting"}')).toBe(0);
    expect(seriesValue(text, 'mintmark_scored_sales{game="pokemon"}')).toBe(0);
    // Of fewer than 200 scored sales no error is stated.
    expect(text).not.toContain('mintmark_model_error_ratio{');
    // Run again: the alert ends.
    await database.db.query(`insert into imports (kind, format, finished_at) values ('sales', 'csv', now())`);
    const later = () => api.context.clock() + 120_000;
    expect(seriesValue(await openMetrics({ ...api.context, clock: later }).text(), 'mintmark_unfinished_imports')).toBe(
      0,
    );
    // Nothing is sold or closed: no alert may take that for the year 1970.
    expect(text).toContain('# TYPE mintmark_newest_sale_timestamp_seconds gauge');
    expect(seriesValue(text, 'mintmark_newest_sale_timestamp_seconds')).toBeNull();
    expect(seriesValue(text, 'mintmark_closed_through_timestamp_seconds')).toBeNull();
    expect(text).toContain('process_resident_memory_bytes');
  });

  test('the newest sale is one that counts', async () => {
    const { db } = api.context;
    const itemId = await anItem(db);
    await aSale(db, { itemId, sold: '2026-06-20' });
    await aVoid(db, await aSale(db, { itemId, sold: '2026-06-24' }), 'unpaid', '2026-06-24');
    const clock = () => api.context.clock() + 180_000;
    const text = await openMetrics({ ...api.context, clock }).text();
    expect(seriesValue(text, 'mintmark_newest_sale_timestamp_seconds')).toBe(Date.parse('2026-06-20') / 1000);
  });

  test('counts cached responses and rejections too', async () => {
    const series = (status: number) =>
      `mintmark_http_request_duration_seconds_count{route="/v1/sets",method="GET",status="${status}"}`;
    for (let i = 0; i < 3; i++) expect((await api.get('/v1/sets?game=pokemon')).status).toBe(200);
    await api.get('/v1/sets?game=pokemon', { 'x-api-key': 'mk_nobody', 'x-api-secret': 'x' });
    const { text } = await scrape();
    expect(seriesValue(text, series(200))).toBe(3);
    expect(seriesValue(text, series(401))).toBe(1);
  });

  test('is served on a port of its own, and 503 while the database cannot be read', async () => {
    const broken = { ...api.context, db: { ...api.context.db, query: () => Promise.reject(new Error('lost')) } };
    for (const [context, status] of [
      [api.context, 200],
      [broken, 503],
    ] as const) {
      const server = await serveMetrics(
        { ...api.context, config: { ...api.context.config, metricsPort: 0 } },
        openMetrics(context),
      );
      const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
      expect(answer.status).toBe(status);
      expect((await fetch(`http://127.0.0.1:${server.port}/v1/games`)).status).toBe(404);
      server.close();
    }
  });
});

test('dashboard and alert rules name metrics that are served', async () => {
  const { text } = await scrape();
  const served = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name]) => name!));
  // Those that an empty installation has no value of are declared all the same.
  const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
  const rules = deployed('prometheus-alerts.yaml');
  const { groups } = parse(rules) as { groups: { rules: { alert: string; expr: string }[] }[] };
  expect(groups[0]!.rules.length).toBeGreaterThan(5);
  const used = new Set(
    `${rules}${deployed('grafana-dashboard.json')}`.match(/\b(?:mintmark_|process_|nodejs_)[a-z0-9_]+/g),
  );
  for (const name of used) expect([...served], name).toContain(name.replace(/_(bucket|count|sum)$/, ''));
});
