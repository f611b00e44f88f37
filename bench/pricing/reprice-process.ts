/** `reprice` in a process of its own, for benches: `reprice-process <connection as JSON> <last day>` prints a `RepriceCost`. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { reprice } from '../../src/pricing/reprice.ts';

/** Milliseconds, of processor time that of the process and that of its server backend; MB at most. */
export type RepriceCost = { sales: number; ms: number; cpuMs: number; backendMs: number; mb: number };

/** Of Linux: a tick of processor times in /proc. */
const TICK_MS = 10;

const [connection, through] = process.argv.slice(2);
// One connection, so that the backend is the one that `reprice` talks to.
const db = openDb({ connection: JSON.parse(connection!) as pg.ClientConfig, poolSize: 1 });
const [{ pid }] = (await db.query<{ pid: number }>('select pg_backend_pid() as pid')) as [{ pid: number }];
const [start, cpu, backend] = [performance.now(), process.cpuUsage(), backendMs()];
const { sales } = await reprice(db, { through: Number(through) });
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
const cost: RepriceCost = {
  sales,
  ms,
  cpuMs: (user + system) / 1000,
  backendMs: backendMs() - backend,
  mb: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(cost));
await db.close();

function backendMs(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
