/**
 * All days of the game indices in a process of its own, for the bench: `rebuild-process <connection as JSON> publish|compare <last day>`
 * publishes the history, or computes it again against what was published, and prints a `RebuildCost`.
 */
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';

/** Seconds, of processor time those of the process; MB at most. */
export type RebuildCost = { seconds: number; cpuSeconds: number; mb: number; levels: number };

const [connection, what, lastDay] = process.argv.slice(2);
const db = openDb({ connection: JSON.parse(connection!) as pg.ClientConfig, poolSize: 2 });
const [start, cpu] = [performance.now(), process.cpuUsage()];
let levels = 0;
if (what === 'publish') ({ levels } = await closeIndices(db, { through: Number(lastDay) }));
else {
  for (const index of GAME_INDICES) {
    const report = await rebuildIndex(db, index, {});
    if (report.differences.length > 0) throw new Error(JSON.stringify(report.differences.slice(0, 5)));
    levels += report.levels;
  }
}
const { user, system } = process.cpuUsage(cpu);
const cost: RebuildCost = {
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: (user + system) / 1e6,
  mb: process.resourceUsage().maxRSS / 1024,
  levels,
};
await db.close();
console.log(JSON.stringify(cost));
