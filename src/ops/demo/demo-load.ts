import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintmark } from '../../catalog/formats/mintmark.ts';
import { importCatalog } from '../../catalog/import-catalog.ts';
import { deriveTags } from '../../catalog/tags/write-tags.ts';
import type { Db } from '../../db/client.ts';
import { closeIndices } from '../../indices/close/close.ts';
import { csvOf } from '../../lib/csv.ts';
import { reprice } from '../../pricing/reprice.ts';
import { upgradePrices } from '../../pricing/upgrade.ts';
import { importListings } from '../../sales/crawl/crawled-listings.ts';
import { LISTING_FIELDS } from '../../sales/crawl/listing.ts';
import { importRates } from '../../sales/currency.ts';
import { ownListings } from '../../sales/formats/listings.ts';
import { mintmarkSales } from '../../sales/formats/mintmark.ts';
import { importSales } from '../../sales/import/import-sales.ts';
import { generateDemoListings } from './demo-listings.ts';
import { demoValues } from './demo-market.ts';
import { generateDemoSales } from './demo-sales.ts';
import { DEMO_SOURCES } from './demo-sources.ts';
import { DEMO_ID_SPACE, demoCatalogPath, demoItems } from './items.ts';
import { generateDemoRates } from './rates.ts';

/**
 * Loads the demo once: the catalog of real cards, and simulated rates, sales and listings of the years before `today`
 * (UTC day number), through the same imports that an operator's files take; then prices every day through yesterday.
 * A load that was cut off is finished by the next. Returns false when it was loaded before.
 */
export async function loadDemo(db: Db, today: number, say: (step: string) => void): Promise<boolean> {
  const [before] = await db.query<{ today: number; done: boolean }>(
    `select (counts ->> 'today')::int as today, finished_at is not null as done from imports where kind = 'demo' order by id limit 1`,
  );
  // The days are those of the first attempt, so that a second one produces the same sales.
  const day = before?.today ?? today;
  if (before === undefined)
    await db.query(
      `insert into imports (kind, format, counts) values ('demo', 'simulated', jsonb_build_object('today', $1::int))`,
      [today],
    );
  if (!before?.done) await loadFiles(db, day, say);
  say('pricing every day');
  await upgradePrices(db);
  await reprice(db, { through: today - 1 });
  await closeIndices(db, { through: today - 1 });
  await db.query(`update imports set finished_at = now() where kind = 'demo' and finished_at is null`);
  return !before?.done;
}

async function loadFiles(db: Db, today: number, say: (step: string) => void): Promise<void> {
  say('loading the catalog');
  await importCatalog(db, { format: mintmark, paths: [demoCatalogPath] });
  await deriveTags(db);
  const rows = await db.query<{ source_id: string; item_id: string }>(
    'select source_id, item_id from item_sources where space = $1',
    [DEMO_ID_SPACE],
  );
  const itemIds = new Map(rows.map((row) => [row.source_id, row.item_id]));
  const items = demoItems((demoId) => itemIds.get(demoId));
  for (const { id, displayName, bucket = 'public', aggregates = [] } of DEMO_SOURCES) {
    await db.query(
      `insert into sources (id, display_name, bucket, category, aggregates) values ($1, $2, $3, $3, $4)
       on conflict (id) do update set display_name = $2, bucket = $3, category = $3, aggregates = $4`,
      [id, displayName, bucket, aggregates],
    );
  }
  const endDay = today - 1;
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-demo-'));
  try {
    const file = async (name: string, lines: readonly string[]) => {
      await writeFile(join(folder, name), `${lines.join('\n')}\n`);
      return [join(folder, name)];
    };
    const rates = generateDemoRates({ endDay });
    const rateLines = rates.map(({ date, currency, usd_per_unit }) => `${date},${currency},${usd_per_unit}`);
    await importRates(db, { paths: await file('rates.csv', ['date,currency,usd_per_unit', ...rateLines]) });
    say('loading simulated sales');
    const market = { endDay, items, values: demoValues(endDay) };
    const sales = generateDemoSales(market).map((row) => JSON.stringify(row));
    await importSales(db, { format: mintmarkSales, paths: await file('sales.ndjson', sales), today });
    const listings = csvOf(LISTING_FIELDS, generateDemoListings(market));
    await importListings(db, { format: ownListings, paths: await file('listings.csv', [listings]), today });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
