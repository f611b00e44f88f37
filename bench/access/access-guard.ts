import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { openGuard } from '../../src/access/guard.ts';
import { issueKey, openKeyRing, revokeKey } from '../../src/access/keys.ts';
import { openQuota, type Quota } from '../../src/access/quota.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/client.ts';
import type { Gate } from '../../src/http/gate.ts';
import type { BenchDatabase } from '../http/http-database.ts';
import { aim, middle, spread } from './access-aim.ts';

const ROUNDS = 7;
const CALLS = 100_000;
const LEASED_CALLS = 20_000;
const MAX_MICROS = 8;
const PEPPER = Buffer.alloc(32);
const KEYS = 500;
/** Samples above this share of all are left out: collections of garbage and other processes, not the guard. */
const KEPT_SHARE = 0.95;
const MAX_T = 4.5;
const BATCH = 200;
const WARM_UP_BATCHES = 50;

type Caller = { id?: string; secret?: string };

const limits = readConfig({
  DAILY_PUBLIC: '900000000',
  DAILY_PARTNER: '900000000',
  BURST_PUBLIC: '100000000',
  BURST_PARTNER: '100000000',
  REFUSALS_PER_MINUTE: '1000000',
}).limits!;

/** What one request costs at the gate, in this process: admission and settlement. */
export async function benchGuardCost({ db }: BenchDatabase): Promise<void> {
  const key = await issueKey(db, PEPPER, 'cost');
  const keys = await openKeyRing(db, PEPPER, Date.now);
  const rich = openQuota(oneBlock());
  const leasing = openQuota(db);
  const gateOf = (quota: Quota) =>
    openGuard({ keys, quota, limits, trustedProxies: [], monotonicMs: () => performance.now(), clock: Date.now });
  for (const [name, caller] of [
    ['public', {}],
    ['partner', key],
  ] as const) {
    await cost(gateOf(rich), caller, 2000);
    const held = await rounds(() => cost(gateOf(rich), caller, CALLS));
    const leased = await rounds(() => cost(gateOf(leasing), caller, LEASED_CALLS));
    aim(
      `guard, ${name} caller, units held`,
      `${spread(held)} µs CPU`,
      `at most ${MAX_MICROS}`,
      middle(held) <= MAX_MICROS,
    );
    console.log(`       with blocks from PostgreSQL, driver included: ${spread(leased)} µs CPU`);
  }
  keys.close();
  await rich.close();
  await leasing.close();
}

async function rounds(measure: () => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  for (let i = 0; i < ROUNDS; i++) figures.push(await measure());
  return figures;
}

/** CPU microseconds a call. */
async function cost(gate: Gate, caller: Caller, calls: number): Promise<number> {
  const requests = Array.from({ length: 64 }, () => requestOf(caller));
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) {
    const pass = gate.enter(requests[i % 64]!, 'daily');
    (pass instanceof Promise ? await pass : pass).settle(200);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** What the gate reads of a request; texts are new ones, as off the wire. */
function requestOf({ id, secret }: Caller): IncomingMessage {
  const fresh = (text: string) => Buffer.from(text).toString('latin1');
  const headers = id === undefined ? {} : { 'x-api-key': fresh(id), 'x-api-secret': fresh(secret!) };
  return { method: 'GET', headers, socket: { remoteAddress: '203.0.113.7' } } as unknown as IncomingMessage;
}

/** A database that grants everything at once. */
function oneBlock(): Db {
  const block = { granted: 400_000_000, taken: 400_000_000, day: 1, endsInMs: 80_000_000 };
  return { prepared: async () => [block], query: async () => [] } as unknown as Db;
}

/** Whether timing distinguishes an unknown id from a wrong secret from a revoked key: Welch's t over interleaved calls. */
export async function benchGuardTiming({ db }: BenchDatabase): Promise<void> {
  // As many of each kind, each repeated as often: what was seen lately is nearer, which is not a secret.
  const anySecret = () => `mks_${randomBytes(32).toString('base64url')}`;
  const kinds: Record<string, Caller[]> = { 'unknown id': [], 'wrong secret': [], 'revoked key': [] };
  for (let i = 0; i < KEYS; i++) {
    kinds['unknown id']!.push({ id: `mk_${randomBytes(12).toString('base64url')}`, secret: anySecret() });
    kinds['wrong secret']!.push({ id: (await issueKey(db, PEPPER, 'live')).id, secret: anySecret() });
    const revoked = await issueKey(db, PEPPER, 'revoked');
    await revokeKey(db, revoked.id);
    kinds['revoked key']!.push(revoked);
  }
  const keys = await openKeyRing(db, PEPPER, Date.now);
  const quota = openQuota(oneBlock());
  const gate = openGuard({
    keys,
    quota,
    limits,
    trustedProxies: [],
    monotonicMs: () => performance.now(),
    clock: Date.now,
  });
  const samples = interleaved(gate, kinds);
  keys.close();
  await quota.close();
  const pooled = Object.values(samples)
    .flat()
    .sort((a, b) => a - b);
  const cut = pooled[Math.floor(pooled.length * KEPT_SHARE)]!;
  const kept = Object.entries(samples).map(([name, all]) => ({ name, all, some: all.filter((ns) => ns <= cut) }));
  for (const { name, all } of kept) console.log(`       ${name}: median ${middle(all)} ns of ${all.length} calls`);
  for (const [i, a] of kept.entries())
    for (const b of kept.slice(i + 1)) {
      const t = welchT(a.some, b.some);
      const figure = `t = ${t.toFixed(2)} without the slowest ${Math.round((1 - KEPT_SHARE) * 100)}%, ${welchT(a.all, b.all).toFixed(2)} with them`;
      aim(`${a.name} and ${b.name}`, figure, `under ${MAX_T}`, Math.abs(t) < MAX_T);
    }
}

/**
 * Nanoseconds of each call, the kinds in random order. All requests of a batch are made before the first is timed, so
 * that how one is made says nothing about how long it takes.
 */
function interleaved(gate: Gate, kinds: Record<string, Caller[]>): Record<string, number[]> {
  const samples: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (let batch = -WARM_UP_BATCHES; batch < CALLS / BATCH; batch++) {
    const batchOf = Object.entries(kinds).flatMap(([name, callers]) =>
      Array.from({ length: BATCH }, (_, i) => ({ name, caller: callers[(Math.abs(batch) * BATCH + i) % KEYS]! })),
    );
    // Made in the order in which they are sent: a request's place in memory does not reveal its kind either.
    const calls = shuffled(batchOf).map(({ name, caller }) => ({ name, request: requestOf(caller) }));
    for (const { name, request } of calls) {
      const ns = timed(gate, request);
      if (batch >= 0) samples[name]!.push(ns);
    }
  }
  return samples;
}

function timed(gate: Gate, request: IncomingMessage): number {
  const before = process.hrtime.bigint();
  try {
    gate.enter(request, 'daily');
  } catch {
    return Number(process.hrtime.bigint() - before);
  }
  throw new Error('let in');
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** Welch's t (B. L. Welch, Biometrika 34, 1947): difference of means over its standard error, variances unequal. */
function welchT(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const variance = (values: readonly number[], m: number) =>
    values.reduce((sum, one) => sum + (one - m) ** 2, 0) / (values.length - 1);
  return (meanA - meanB) / Math.sqrt(variance(a, meanA) / a.length + variance(b, meanB) / b.length);
}
