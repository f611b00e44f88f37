/**
 * `npx tsx bench/indices/indices-rebuild.ts [sales]`: 1,096 days of the four indexed games from stored price states to levels, in
 * a process of its own: publishing the history, then recomputing it against what was published; then one more day.
 * Prints seconds against the aim of 10, and memory.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { benchDatabase } from '../http/http-database.ts';
import { fillSyntheticLedger, LAST_DAY } from '../pricing/synthetic-ledger.ts';

const AIM_S = 10;

const [mode, given, work] = process.argv.slice(2);
if (mode === '--child') await child(JSON.parse(given!) as pg.ClientConfig, work!);
else await main(Number(mode ?? 1_000_000));

async function main(wanted: number): Promise<void> {
  const { db, connection, stop } = await benchDatabase();
  try {
    const sales = await fillSyntheticLedger(db, wanted);
    await reprice(db, { through: LAST_DAY });
    await db.query('analyze');
    for (const what of ['publish', 'compare']) {
      const self = fileURLToPath(import.meta.url);
      const run = ['--import', 'tsx', self, '--child', JSON.stringify(connection), what];
      const outcome = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' })) as Outcome;
      const { seconds, cpuSeconds, mb, levels } = outcome;
      console.log(
        `${what.padEnd(8)} ${levels} levels from ${sales} sales in ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s CPU of ours), ${mb.toFixed(0)} MB: ${(seconds / AIM_S).toFixed(2)} of the aim`,
      );
    }
    await reprice(db, { through: LAST_DAY + 1 });
    const start = performance.now();
    await closeIndices(db, { through: LAST_DAY + 1 });
    console.log(`one day  ${(performance.now() - start).toFixed(0)} ms for four indices`);
  } finally {
    await stop();
  }
}

type Outcome = { seconds: number; cpuSeconds: number; mb: number; levels: number };

async function child(connection: pg.ClientConfig, what: string): Promise<void> {
  const db = openDb({ connection, poolSize: 2 });
  const start = performance.now();
  const before = process.cpuUsage();
  let levels = 0;
  if (what === 'publish') ({ levels } = await closeIndices(db, { through: LAST_DAY }));
  else {
    for (const index of GAME_INDICES) {
      const report = await rebuildIndex(db, index, {});
      if (report.differences.length > 0) throw new Error(JSON.stringify(report.differences.slice(0, 5)));
      levels += report.levels;
    }
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  await db.close();
  const outcome: Outcome = {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    mb: process.resourceUsage().maxRSS / 1024,
    levels,
  };
  console.log(JSON.stringify(outcome));
}
