import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { reprice } from '../../src/pricing/reprice.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { builtProcess } from '../support/program.ts';
import { catalogCards, FIRST_DAY, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { everythingStored } from './stored.ts';

// Longer than the days between two checkpoints, so that there are several.
const DAYS = 1000;
const market = syntheticMarket({ seed: 8, days: DAYS, cards: 60, sales: 3000 });
const open: FreshDatabase[] = [];

async function ledger(): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  open.push(fresh);
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  return fresh;
}

afterAll(async () => {
  for (const fresh of open) await fresh.close();
});

/** Runs the process until it has reported `day`, where it stops, then kills it. */
async function killAt({ connection }: FreshDatabase, day: number): Promise<void> {
  const days = [FIRST_DAY + DAYS - 1, FIRST_DAY + day].map(String);
  const args = [builtProcess('pricing/reprice-process'), JSON.stringify(connection), ...days];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= FIRST_DAY + day) break;
  child.kill('SIGKILL');
  await ended;
}

test('killed in the middle, again and again, it ends with the bytes of a run that was not', async () => {
  const whole = await ledger();
  await reprice(whole.db, { through: FIRST_DAY + DAYS - 1 });
  const killed = await ledger();
  // Day of the checkpoint that each kill left: a kill right after one may come before it is stored.
  const left: number[] = [];
  for (const day of [200, 405, 407, 850, 950]) {
    await killAt(killed, day);
    const [state] = await killed.db.query<{ day: number }>('select closed_day - $1 as day from model_state', [
      FIRST_DAY,
    ]);
    left.push(state?.day ?? -1);
  }
  expect(left[0]).toBe(-1);
  // The second batch ends with the checkpoint of the first one stored.
  expect(left[3]).toBeGreaterThan(300);
  expect(left[4]).toBeGreaterThanOrEqual(left[3]!);
  const { days } = await reprice(killed.db, { through: FIRST_DAY + DAYS - 1 });
  expect(days).toBe(DAYS - 1 - left[4]!);
  expect(await everythingStored(killed.db)).toEqual(await everythingStored(whole.db));
  const record = ({ db }: FreshDatabase) => db.query('select day, root, lines, digest from record_days order by day');
  expect(await record(killed)).toHaveLength(DAYS);
  expect(await record(killed)).toEqual(await record(whole));
});
