/**
 * `node --import tsx bench/lists/valuations.ts [rounds]`: `POST /v1/valuations` of 1,000 lines by id over HTTP, one at a time, of
 * 1,000 cards of 30,000 with six sales each, whose prices the server keeps. Compared with `/v1/items/summaries` of 300 of them:
 * CPU of the server a line. Aim: p50 ≤ 150 ms.
 */
import { benchDatabase } from '../http/http-database.ts';
import { quantile, startServer } from '../http/http-load.ts';
import { fillMarket } from '../http/market-database.ts';

const ROUNDS = Number(process.argv[2] ?? 30);
const ITEMS = 30_000;
const AIM_MS = 150;

const database = await benchDatabase();
try {
  await fillMarket(database, ITEMS);
  const rows = await database.db.query<{ id: string }>(
    `select item_id as id from card_states order by md5(item_id::text) limit 1000`,
  );
  const ids = rows.map(({ id }) => id);
  const server = await startServer({ serve: 'app', connection: database.connection, cacheMb: 128 });
  const address = `http://127.0.0.1:${server.port}`;
  const valued = async () => {
    const body = JSON.stringify({ lines: ids.map((id) => ({ id })) });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${address}/v1/valuations`, { method: 'POST', headers, body });
    return (await response.json()) as { total: { pricedLines: number } };
  };
  const { total } = await valued();
  console.log(`${total.pricedLines} of ${ids.length} lines priced`);
  const measure = async (work: () => Promise<unknown>) => {
    for (let round = 0; round < 5; round++) await work();
    const before = (await server.usage()).cpuMicros;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      await work();
      times.push(performance.now() - begun);
    }
    const cpuMs = ((await server.usage()).cpuMicros - before) / ROUNDS / 1000;
    return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), cpuMs };
  };
  const lines = await measure(valued);
  let turn = 0;
  // In another order each time: an answer that is kept would be sent instead.
  const list = () => ids.slice(turn++, turn + 299).join();
  const summaries = await measure(async () => (await fetch(`${address}/v1/items/summaries?ids=${list()}`)).text());
  console.log(
    `1,000 lines: p50 ${lines.p50.toFixed(0)} ms, p95 ${lines.p95.toFixed(0)}, server CPU ${lines.cpuMs.toFixed(0)} ms; ` +
      `a line ${((lines.cpuMs / 1000 / (summaries.cpuMs / 300)) * 1).toFixed(2)} × the CPU of one of 300 summaries (p50 ${summaries.p50.toFixed(0)} ms)`,
  );
  const isMet = lines.p50 <= AIM_MS;
  console.log(`${isMet ? 'met   ' : 'MISSED'} p50 ${lines.p50.toFixed(0)} ms; aim ≤ ${AIM_MS}`);
  process.exitCode = isMet ? 0 : 1;
  server.stop();
} finally {
  await database.stop();
}
