/**
 * `npx tsx bench/pricing/pricing-reprice.ts [sales]`: `reprice` end to end, from a ledger of synthetic sales in the embedded
 * PostgreSQL to stored prices, as the compiled program in a process of its own; then what a read and a later day cost. Prints the
 * time a sale, processor times of the process and of its database server too, and the memory, against the aims: 35 us and 1.2 GB for
 * a million sales.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Db } from '../../src/db/client.ts';
import { movers } from '../../src/pricing/read/movers.ts';
import { closedDay, quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { compiledProgram } from '../compiled-program.ts';
import { benchDatabase } from '../http/http-database.ts';
import type { RepriceCost } from './reprice-process.ts';
import { FIRST_UNSOLD, fillSyntheticLedger, itemIdOf, LAST_DAY } from './synthetic-ledger.ts';

const AIM_US = 35;
const AIM_MB = 1200;

const program = await compiledProgram('pricing/reprice-process');
const { db: plain, connection, stop } = await benchDatabase();
// With the memory of a server, so that the markets are read once for a close.
const db = { ...plain, prices: {} };
try {
  await measure(db, await fillSyntheticLedger(db, Number(process.argv[2] ?? 1_000_000)));
} finally {
  await stop();
}

async function measure(db: Db, sales: number): Promise<void> {
  const run = [program, JSON.stringify(connection), String(LAST_DAY)];
  const { ms, cpuMs, backendMs, mb } = JSON.parse(
    execFileSync(process.execPath, run, { encoding: 'utf8' }),
  ) as RepriceCost;
  const us = (of: number) => (1000 * of) / sales;
  console.log(
    `reprice    ${sales} sales in ${(ms / 1000).toFixed(1)} s: ${us(ms).toFixed(1)} us a sale, ${mb.toFixed(0)} MB`,
  );
  console.log(`processor  ${us(cpuMs).toFixed(1)} us a sale, of its database server ${us(backendMs).toFixed(1)}`);
  console.log(
    `ratio      ${(us(ms) / AIM_US).toFixed(2)} of the aim in time, ${(mb / AIM_MB).toFixed(2)} in memory, load ${loadOf()}`,
  );
  await db.query('analyze');
  await timeReads(db);
  const moversStart = performance.now();
  const moved = await movers(db, 48);
  console.log(`movers     ${moved.length} in ${(performance.now() - moversStart).toFixed(0)} ms, once for a close`);
  const day = (await closedDay(db))!;
  const start = performance.now();
  await reprice(db, { through: day + 1 });
  console.log(`one day    without sales ${(performance.now() - start).toFixed(0)} ms`);
}

function loadOf(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0]!;
}

/** Quotes of one item at a time, over items that sold and, as most do, not. */
async function timeReads(db: Db): Promise<void> {
  // As a server has it: the last close stays in memory.
  const served = { ...db, prices: {} };
  for (const [what, first, step] of [
    ['sold', 0, 1],
    ['unsold', FIRST_UNSOLD, 7],
  ] as const) {
    const ms: number[] = [];
    let series = 0;
    for (let i = 0; i < 1000; i++) {
      const start = performance.now();
      const quotes = await quotesOf(served, [itemIdOf(first + i * step)]);
      ms.push(performance.now() - start);
      series += quotes.get(itemIdOf(first + i * step))?.length ?? 0;
    }
    ms.sort((a, b) => a - b);
    const mean = (series / 1000).toFixed(1);
    console.log(
      `quotesOf   ${what} item (${mean} series): p50 ${ms[500]!.toFixed(2)} ms, p99 ${ms[990]!.toFixed(2)} ms`,
    );
  }
}
