/**
 * `node --import tsx bench/certs/certs.ts [hot] [cold] [live]`: slabs by their cert numbers; all parts when none is named. Each
 * figure is printed with its aim.
 *   hot   a cached response for a stored cert, compared with bare `node:http` sending the same bytes
 *   cold  a random one of a million tracked certs with that cache off, one at a time
 *   live  what a valuation adds to its sources; equal certs at once over three processes; kill -9 in the middle
 */

import { compareHot } from '../http/hot-compare.ts';
import { type BenchDatabase, benchDatabase, fillPricedItems } from '../http/http-database.ts';
import { getRequest, load, quantile, startServer } from '../http/http-load.ts';
import { live, met } from './certs-live.ts';

const CERTS = 1_000_000;
const ITEMS = 20_000;
const COLD_REQUESTS = 4000;
const ROUNDS = 5;

const parts = process.argv.slice(2);
const wants = (part: string) => parts.length === 0 || parts.includes(part);

if (wants('hot')) await hot();
if (wants('cold')) await cold();
if (wants('live')) await live();

async function hot(): Promise<void> {
  const database = await benchDatabase();
  try {
    await fillPricedItems(database.db, 300);
    await fillCerts(database, 300, 300);
    const app = await startServer({ serve: 'app', connection: database.connection, cacheMb: 64 });
    await compareHot(app, '/v1/graded/10000001', ROUNDS, 2.2);
    app.stop();
  } finally {
    await database.stop();
  }
}

async function cold(): Promise<void> {
  const database = await benchDatabase();
  try {
    await fillPricedItems(database.db, ITEMS);
    await fillCerts(database, CERTS, ITEMS);
    const server = await startServer({ serve: 'app', connection: database.connection, cacheMb: 0 });
    let turn = 0;
    const next = () => getRequest(`/v1/graded/${10_000_000 + ((turn++ * 7919) % CERTS)}`);
    const run = (requests: number) =>
      load(server.port, { connections: 1, seconds: 60, requests, next, keepLatencies: true });
    await run(1000);
    const { latenciesMs } = await run(COLD_REQUESTS);
    server.stop();
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latenciesMs, share));
    console.log(
      `cold, ${CERTS.toLocaleString('en')} certs of ${ITEMS.toLocaleString('en')} cards: p50 ${p50!.toFixed(2)} ms, p95 ${p95!.toFixed(2)}, p99 ${p99!.toFixed(2)} (aim: p50 at most 2): ${met(p50! <= 2)}`,
    );
  } finally {
    await database.stop();
  }
}

/** Certs 10000000 and on, over the cards and their grades. */
async function fillCerts({ db }: BenchDatabase, count: number, items: number): Promise<void> {
  await db.query(
    `insert into certs (company, cert_key, cert_number, item_id, grade_key, grade_label, game, origin)
     select 'PSA', 10000000 + n, 10000000 + n, i.id, (array['psa-10', 'psa-9'])[1 + n % 2],
       (array['GEM MT 10', 'MINT 9'])[1 + n % 2], 'pokemon', 'bench'
     from generate_series(0, $1::int - 1) n
     join (select id, row_number() over (order by id) - 1 as place from items) i on i.place = n % $2::int`,
    [count, items],
  );
  await db.query('vacuum analyze certs');
}
