/**
 * `npx tsx bench/trust.ts [sales] [receipts] [kills]`: what the public record costs and withstands, over a ledger of three
 * years: the share of `reprice` that it and scores take (of processor samples of the compiled program), a close without sales, the size of a day's file of 10,000
 * cards, random receipts made and verified, and kills during closes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { readConfig } from '../src/config.ts';
import { type Db, openDb } from '../src/db/client.ts';
import { itemsByIds } from '../src/items/item-row.ts';
import { uniformOf } from '../src/lib/seeded.ts';
import { reprice } from '../src/pricing/reprice.ts';
import { openRecordStore, type RecordContext } from '../src/receipts/context.ts';
import { makeReceipt } from '../src/receipts/make-receipt.ts';
import { verifyReceipt } from '../src/record/verify.ts';
import { testSigner } from '../test/support/signer.ts';
import { compiledProgram } from './compiled-program.ts';
import { benchDatabase } from './http/http-database.ts';
import { fillSyntheticLedger, LAST_DAY } from './pricing/synthetic-ledger.ts';

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
  await withLedger(wanted, async (db, connection, sales) => {
    console.log(`of the rest of the processor time of reprice of ${sales} sales:`);
    const shares = await profiledShares(connection);
    aim('  record', shares.record, 25, '%');
    aim('  scores', shares.scores, 10, '%');
    aim('  both together', shares.record + shares.scores, 25, '%');
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
    await manyReceipts(db, receipts);
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

/** Processor time of the record, and of scores, in percent of that of everything else in a run. */
async function profiledShares(connection: pg.ClientConfig): Promise<{ record: number; scores: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  const program = await compiledProgram('pricing/reprice-process');
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, program];
  spawnSync(process.execPath, [...flags, JSON.stringify(connection), String(LAST_DAY)]);
  type Frame = { functionName: string; url: string; lineNumber: number };
  type Node = { id: number; callFrame: Frame; children?: number[] };
  const profile = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')) as {
    nodes: Node[];
    samples: number[];
    timeDeltas: number[];
  };
  rmSync(folder, { recursive: true });
  const modules = modulesOf(readFileSync(program, 'utf8'));
  const moduleOf = ({ url, lineNumber }: Frame) => (url.endsWith(program) ? modules[lineNumber]! : '');
  const nodeOf = new Map(profile.nodes.map((node) => [node.id, node]));
  const parentOf = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id] as const)));
  const time = { record: 0, scores: 0, rest: 0 };
  profile.samples.forEach((id, i) => {
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at))
      stack.push(moduleOf(nodeOf.get(at)!.callFrame));
    const name = nodeOf.get(id)!.callFrame.functionName;
    if (name === '(idle)' || name === '(program)' || !stack.some((module) => module.startsWith('pricing/'))) return;
    const of = (part: RegExp) => stack.some((module) => part.test(module));
    const what = of(/^(pricing\/)?record\/(?!snapshot-state)/)
      ? 'record'
      : of(/^pricing\/(accuracy\/|backtest-baselines)/)
        ? 'scores'
        : 'rest';
    time[what] += profile.timeDeltas[i]!;
  });
  return { record: (100 * time.record) / time.rest, scores: (100 * time.scores) / time.rest };
}

/** By line of a bundle, the file below `src` that it is of, which the bundler names in comments. */
function modulesOf(bundle: string): string[] {
  let current = '';
  return bundle.split('\n').map((line) => {
    const [, path] = /^\/\/ (?:.*\/)?src\/(.*\.ts)$/.exec(line) ?? [];
    if (/^\/\/ .*\.tsx?$/.test(line)) current = path ?? '';
    return current;
  });
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
