/** `reprice` in a process of its own, for benches: `reprice-process <connection as JSON> <last day>` prints a `RepriceCost`. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { reprice } from '../../src/pricing/reprice.ts';

/** Milliseconds, of processor time that of the process and that of its server backends; MB at most. */
export type RepriceCost = { sales: number; ms: number; cpuMs: number; backendMs: number; mb: number };

/** Of Linux: a tick of processor times in /proc. */
const TICK_MS = 10;

const [connection, through] = process.argv.slice(2);
const NAME = 'reprice-process';
const db = openDb({
  connection: { ...(JSON.parse(connection!) as pg.ClientConfig), application_name: NAME },
  poolSize: 2,
});
const [start, cpu] = [performance.now(), process.cpuUsage()];
const { sales } = await reprice(db, { through: Number(through) });
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
const cost: RepriceCost = {
  sales,
  ms,
  cpuMs: (user + system) / 1000,
  backendMs: await backendMs(),
  mb: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(cost));
await db.close();

/** Of the connections of this process. */
async function backendMs(): Promise<number> {
  const backends = await db.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    NAME,
  ]);
  const ticks = backends.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
}
