import { alternating, fetchRaw, type Round } from '../http/hot-compare.ts';
import { benchDatabase, fillPricedItems } from '../http/http-database.ts';
import { type BenchServer, getRequest, load, median, quantile, startServer } from '../http/http-load.ts';
import type { Row } from './table.ts';

const ITEMS = 20_000;
const REQUESTS = 3000;
const ROUNDS = 5;
const SECONDS = 120;

/** What one would write without a price model: ready prices in a table, one statement, JSON made by PostgreSQL. */
const PLAIN_TABLE = `create table bench_prices as
  select i.id as item_id, company, grade, 1000 + row_number() over () % 90000 as price_usd_cents, now() as updated_at
  from items i, (values ('PSA', '10'), ('PSA', '9'), ('Ungraded', 'A')) grades (company, grade)`;
const PLAIN_READ = `select json_build_object('id', i.id, 'name', i.name, 'setName', s.name, 'cardNumber', i.number,
    'language', i.language, 'imageUrl', i.image_url, 'grades', (select json_agg(json_build_object('company', p.company,
    'grade', p.grade, 'priceUsdCents', p.price_usd_cents, 'updatedAt', p.updated_at) order by p.price_usd_cents desc)
    from bench_prices p where p.item_id = i.id))::text as body
  from items i join sets s on s.id = i.set_id where i.id = $1`;

/**
 * An overview by id over HTTP: cached, against bare `node:http` with the same bytes; uncached, against bare `node:http` that reads
 * ready prices from a table.
 */
export async function compareReads(): Promise<Row[]> {
  const database = await benchDatabase();
  try {
    await fillPricedItems(database.db, ITEMS);
    await database.db.query(PLAIN_TABLE);
    await database.db.query('create index on bench_prices (item_id)');
    await database.db.query('vacuum analyze bench_prices');
    const ids = await database.db.query<{ id: string }>('select id from items order by md5(id::text) limit $1', [
      REQUESTS,
    ]);
    const paths = ids.map(({ id }) => `/v1/items/by-id/${id}/overview`);
    const { connection } = database;
    const hot = await startServer({ serve: 'app', connection, cacheMb: 64 });
    const { body } = await fetchRaw(hot.port, paths[0]!, 'identity');
    const bare = await startServer({ serve: 'buffer', body: body.toString('base64') });
    const request = getRequest(paths[0]!, { 'accept-encoding': 'identity' });
    const { apps, bares } = await alternating(hot, bare, request, ROUNDS);
    for (const server of [hot, bare]) server.stop();
    const cold = await startServer({ serve: 'app', connection, cacheMb: 0 });
    const plain = await startServer({ serve: 'sql', connection, text: PLAIN_READ });
    const uncached = [await coldRow('Mintmark', cold, paths), await coldRow('plain SQL, ready prices', plain, paths)];
    for (const server of [cold, plain]) server.stop();
    return [hotRow('Mintmark', apps), hotRow('bare `node:http`', bares), ...uncached];
  } finally {
    await database.stop();
  }
}

function hotRow(engine: string, rounds: readonly Round[]): Row {
  const micros = median(rounds.map((one) => one.micros));
  const figures = [
    `${micros.toFixed(0)} µs CPU a request`,
    `${Math.round(1e6 / micros).toLocaleString('en')} a core-second`,
  ];
  return { subject: 'overview by id, cached', engine, figures };
}

async function coldRow(engine: string, server: BenchServer, paths: readonly string[]): Promise<Row> {
  let turn = 0;
  const next = () => getRequest(paths[turn++ % paths.length]!);
  const options = { connections: 1, seconds: SECONDS, requests: REQUESTS, next, keepLatencies: true };
  await load(server.port, options);
  const before = await server.usage();
  const run = await load(server.port, options);
  const micros = ((await server.usage()).cpuMicros - before.cpuMicros) / run.requests;
  const figures = [`p50 ${quantile(run.latenciesMs, 0.5).toFixed(2)} ms`, `${micros.toFixed(0)} µs CPU a request`];
  return { subject: `overview by id, uncached, ${ITEMS.toLocaleString('en')} items`, engine, figures };
}
