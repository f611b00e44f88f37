/**
 * `node --import tsx bench/indices/indices-rebuild.ts [sales]`: 1,096 days of the four indexed games from stored price states to levels, by
 * the compiled program in a process of its own: publishing the history, then recomputing it against what was published; then one more
 * day. Prints seconds against the aim of 10, and memory.
 */
import { execFileSync } from 'node:child_process';
import { closeIndices } from '../../src/indices/close/close.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { compiledProgram } from '../compiled-program.ts';
import { benchDatabase } from '../http/http-database.ts';
import { fillSyntheticLedger, LAST_DAY } from '../pricing/synthetic-ledger.ts';
import type { RebuildCost } from './rebuild-process.ts';

const AIM_S = 10;

const program = await compiledProgram('indices/rebuild-process');
const { db, connection, stop } = await benchDatabase();
try {
  const sales = await fillSyntheticLedger(db, Number(process.argv[2] ?? 1_000_000));
  await reprice(db, { through: LAST_DAY });
  await db.query('analyze');
  for (const what of ['publish', 'compare']) {
    const run = [program, JSON.stringify(connection), what, String(LAST_DAY)];
    const cost = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' })) as RebuildCost;
    const { seconds, cpuSeconds, mb, levels } = cost;
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
