/**
 * `npx tsx bench/trust.ts [sales] [receipts] [kills]`: what the public record costs and withstands, over a ledger of three
 * years: what it and scores add to `reprice` of the compiled program, a close without sales, the size of a day's file of 10,000 cards,
 * random receipts made and verified, and kills during closes.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { readConfig } from '../src/config.ts';
import { type Db, openDb } from '../src/db/client.ts';
import { migrate } from '../src/db/migrate.ts';
import { itemsByIds } from '../src/items/item-row.ts';
import { uniformOf } from '../src/lib/seeded.ts';
import { reprice } from '../src/pricing/reprice.ts';
import { openRecordStore, type RecordContext } from '../src/receipts/context.ts';
import { makeReceipt } from '../src/receipts/make-receipt.ts';
import { verifyReceipt } from '../src/record/verify.ts';
import { testSigner } from '../test/support/signer.ts';
import { compiledProgram } from './compiled-program.ts';
import { benchDatabase } from './http/http-database.ts';
import type { RepriceCost } from './pricing/reprice-process.ts';
import { fillSyntheticLedger, LAST_DAY } from './pricing/synthetic-ledger.ts';

/** Of each program that is compared: three left the difference between two runs of one program in the result. */
const ROUNDS = 9;

/** What begins each function that the record, or the scores, consist of in `reprice`, so that it does nothing. */
const NOTHING = {
  record: { recordDay: 'return;', storeRecord: 'return;', dayEvents: 'return {};' },
  scores: { scoresOf: 'return { observe() {}, end() {} };', loadHistories: 'return;' },
};

const self = fileURLToPath(import.meta.url);
const [mode, first = '10000', second = '200'] = process.argv.slice(2);
if (mode === '--child') await child(JSON.parse(first) as pg.ClientConfig, Number(second));
else await main(Number(mode ?? 200_000), Number(first), Number(second));

async function child(connection: pg.ClientConfig, through: number): Promise<void> {
  const db = openDb({ connection, poolSize: 2 });
  await reprice(db, { through });
  await db.close();
}

function aim(what: string, value: number, most: number, unit: string): void {
  console.log(`${what.padEnd(44)} ${value.toFixed(1)} ${unit} (at most ${most}) ${value <= most ? 'ok' : 'MISSED'}`);
}

async function main(wanted: number, receipts: number, kills: number): Promise<void> {
  await printCosts(wanted);
  await withLedger(wanted, async (db) => {
    await reprice(db, { through: LAST_DAY });
    const closes: number[] = [];
    for (let day = LAST_DAY + 1; day <= LAST_DAY + 9; day++) {
      const start = performance.now();
      await reprice(db, { through: day });
      closes.push(performance.now() - start);
    }
    aim('a close without sales, median', middle(closes), 60, 'ms');
    const [size] = await db.query<{ bytes: number }>(
      'select (sum(bytes) / sum(lines) * 10000)::float8 as bytes from record_days where not base',
    );
    aim('a file of 10,000 cards', size!.bytes / 1e6, 6, 'MB');
    if (receipts > 0) await manyReceipts(db, receipts);
  });
  if (kills > 0) await withLedger(wanted, (db, connection) => killed(db, connection, kills));
}

async function withLedger(
  wanted: number,
  work: (db: Db, connection: pg.ClientConfig, sales: number) => Promise<void>,
): Promise<void> {
  const { db, connection, stop } = await benchDatabase();
  try {
    await work(db, connection, await fillSyntheticLedger(db, wanted));
  } finally {
    await stop();
  }
}

/** Kills a process that closes all days again and again, at random moments; then lets it finish, and counts roots. */
async function killed(db: Db, connection: pg.ClientConfig, kills: number): Promise<void> {
  const random = uniformOf('kills');
  let interrupted = 0;
  for (let i = 0; i < kills; i++) {
    // A part of the days each time, so that kills hit every part of the ledger.
    const through = LAST_DAY - 1095 + Math.floor((1095 * (i + 1)) / kills);
    const running: ChildProcess = spawn(
      process.execPath,
      ['--import', 'tsx', self, '--child', JSON.stringify(connection), String(through)],
      { stdio: 'ignore' },
    );
    const ended = once(running, 'exit');
    await Promise.race([sleep(500 + random() * 1500), ended]);
    if (running.exitCode === null) interrupted++;
    running.kill('SIGKILL');
    await ended;
  }
  await reprice(db, { through: LAST_DAY - 300 });
  const [row] = await db.query<{ days: number; broken: number }>(
    `select count(*)::int as days, (select count(*)::int from market_days m left join record_days r using (day) where r.day is null) as broken
     from record_days`,
  );
  console.log(
    `${interrupted} of ${kills} closes killed; ${row!.days} days have one root each, ${row!.broken} closed days have none`,
  );
}

/** `reprice` of a ledger without scores, without the record too, and as it is, in turns, each on a copy of the database. */
async function printCosts(wanted: number): Promise<void> {
  const whole = await compiledProgram('pricing/reprice-process');
  const programs = {
    neither: without(whole, 'neither', { ...NOTHING.scores, ...NOTHING.record }),
    noScores: without(whole, 'no-scores', NOTHING.scores),
    whole,
  };
  const costs = { neither: [], noScores: [], whole: [] } as Record<keyof typeof programs, RepriceCost[]>;
  const { db, connection, stop } = await benchDatabase();
  try {
    await db.query('create database ledger');
    const ledger = openDb({ connection: { ...connection, database: 'ledger' }, poolSize: 1 });
    await migrate(ledger);
    await fillSyntheticLedger(ledger, wanted);
    await ledger.query('vacuum analyze');
    await ledger.close();
    const copy = JSON.stringify({ ...connection, database: 'copy' });
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, program] of Object.entries(programs) as [keyof typeof programs, string][]) {
        await db.query('create database copy template ledger');
        costs[name].push(JSON.parse(String(execFileSync(process.execPath, [program, copy, String(LAST_DAY)]))));
        await db.query('drop database copy');
      }
  } finally {
    await stop();
  }
  // Each run is compared with that of its own round: the speed of a machine changes between rounds.
  const added = (of: 'ms' | 'cpuMs', more: keyof typeof programs, to: keyof typeof programs) =>
    100 * middle(costs[more].map((cost, round) => cost[of] / costs[to][round]![of] - 1));
  console.log(`added to reprice of ${costs.whole[0]!.sales} sales without both, medians of ${ROUNDS} rounds:`);
  const record = added('cpuMs', 'noScores', 'neither');
  console.log(`  processor time of the record                ${record.toFixed(1)}%`);
  aim('  of both', added('cpuMs', 'whole', 'neither'), 25, '%');
  aim('  time of both', added('ms', 'whole', 'neither'), 25, '%');
}

/** A program next to `program` in which some functions do nothing. */
function without(program: string, name: string, functions: Record<string, string>): string {
  let text = readFileSync(program, 'utf8');
  for (const [one, body] of Object.entries(functions)) {
    const head = new RegExp(`^((?:async )?function ${one}\\(.*\\) \\{)$`, 'gm');
    if (text.match(head)?.length !== 1)
      throw new Error(`${one} is not one function of one line in the compiled program`);
    text = text.replace(head, `$1 ${body}`);
  }
  const changed = program.replace(/\.js$/, `-${name}.js`);
  writeFileSync(changed, text);
  return changed;
}

async function manyReceipts(db: Db, count: number): Promise<void> {
  const served = { ...db, prices: {} };
  const config = readConfig({ BASE_URL: 'https://prices.example' });
  const context = { db: served, config, record: openRecordStore(testSigner()) } as unknown as RecordContext;
  const series = await db.query<{ item: string; grade: string; day: number }>(
    'select item_id as item, grade_key as grade, min(known_day) as day from sales group by 1, 2 order by 1, 2',
  );
  const random = uniformOf('receipts');
  const times: number[] = [];
  let matches = 0;
  for (let i = 0; i < count; i++) {
    const one = series[Math.floor(random() * series.length)]!;
    const [item] = await itemsByIds(db, [one.item]);
    const day = one.day + Math.floor(random() * (LAST_DAY + 1 - one.day));
    const start = performance.now();
    const text = await makeReceipt(context, { item: item!, gradeKey: one.grade, day });
    times.push(performance.now() - start);
    const verdict = verifyReceipt(text, null);
    if (verdict.isVerified && verdict.isMatch) matches++;
  }
  console.log(`${matches} of ${count} random receipts verify and match`);
  aim('a receipt, median', middle(times), 10, 'ms');
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
