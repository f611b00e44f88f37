import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/client.ts';
import { type Budget, LEASE_SHARE, LEASE_UNITS, lease, leasedToday, QUOTA_CHANNEL, returnUnits } from './leases.ts';

/** Whether a request is within its budget, and where the budget stands. */
export type Taken = {
  admitted: boolean;
  /** Units still to be had today: never more than there are, as far as this process can know. */
  remaining: number;
  /** Milliseconds until the budget is whole again (midnight UTC). */
  resetInMs: number;
};

/**
 * Daily budgets shared by all processes on one database. Units are leased (leases.ts) and spent in memory:
 *
 *   1. take     a held unit is spent at once; without one, the process leases more; all who wait share one lease
 *   2. recall   when nothing is left to lease, the other processes are asked to return what they hold, once
 *   3. spent    when that brought nothing either, the budget is spent: refused from memory until midnight
 *   4. return   what a process holds and does not use for two seconds goes back
 *
 * Never more than the budget is admitted, however many processes run: a unit is spent only by who leased it. A crash
 * loses the units that the process held.
 */
export type Quota = {
  take(budget: Budget): Taken | Promise<Taken>;
  /** Where a budget stands, without taking from it. */
  standing(budget: Budget): Promise<{ remaining: number; resetInMs: number }>;
  /** Gives back the unit of a request that does not count. */
  giveBack(budget: Budget): void;
  /** Returns what is held. */
  close(): Promise<void>;
};

/** What this process knows of one budget today. */
type Account = {
  budget: Budget;
  day: number;
  /** On the monotonic clock, so that a step of the wall clock gives nobody a second budget. */
  endsAtMs: number;
  held: number;
  /** Left to lease when the database was last asked. */
  left: number;
  spent: boolean;
  usedAtMs: number;
  waiting: number;
  filling: Promise<void> | null;
  /** Other processes lease from this budget too. */
  shared: boolean;
  /** How much to lease at once, and when that was last done: a lease should last for some time. */
  leaseUnits: number;
  leasedAtMs: number;
};

const IDLE_MS = 2000;
/** A lease that lasts less is too small, up to this many units. */
const SHORT_LEASE_MS = 250;
const LEASE_UNITS_MAX = 20_000;
const SWEEP_MS = 500;
/** How long the others have to return what they hold. */
const RECALL_MS = 60;
/** Where others lease too, so many leases of theirs may not have been heard of yet. */
const UNHEARD_LEASES = 2;
const MAX_ACCOUNTS = 200_000;

/** Opens the budgets of this process. `monotonicMs` is a clock that never steps. */
export async function openQuota(db: Db, monotonicMs: () => number = () => performance.now()): Promise<Quota> {
  const accounts = new Map<string, Account>();
  const holding = new Set<Account>();
  const self = Math.random().toString(36).slice(2);

  function accountOf(budget: Budget): Account {
    const key = keyOf(budget);
    let account = accounts.get(key);
    if (account === undefined) {
      if (accounts.size >= MAX_ACCOUNTS) forgetOldest();
      account = {
        budget,
        day: 0,
        endsAtMs: Number.POSITIVE_INFINITY,
        held: 0,
        left: budget.limit,
        spent: false,
        usedAtMs: 0,
        waiting: 0,
        filling: null,
        shared: false,
        leaseUnits: LEASE_UNITS,
        leasedAtMs: Number.NEGATIVE_INFINITY,
      }; // prettier-ignore
      accounts.set(key, account);
    }
    if (monotonicMs() >= account.endsAtMs) {
      // Yesterday's units are worth nothing today.
      holding.delete(account);
      Object.assign(account, {
        held: 0,
        left: budget.limit,
        spent: false,
        shared: false,
        endsAtMs: Number.POSITIVE_INFINITY,
      });
    }
    return account;
  }

  function forgetOldest(): void {
    for (const [key, account] of accounts) {
      if (account.held === 0 && account.waiting === 0) accounts.delete(key);
      if (accounts.size < MAX_ACCOUNTS * 0.9) return;
    }
  }

  function standing(account: Account, admitted: boolean): Taken {
    const nowMs = monotonicMs();
    const unheard = account.shared
      ? UNHEARD_LEASES * Math.max(1, Math.min(LEASE_UNITS, account.left / LEASE_SHARE))
      : 0;
    return {
      admitted,
      remaining: account.held + Math.max(0, Math.floor(account.left - unheard)),
      resetInMs: Math.max(0, account.endsAtMs - nowMs),
    };
  }

  function spendHeld(account: Account): Taken {
    account.held--;
    account.usedAtMs = monotonicMs();
    if (account.held === 0) holding.delete(account);
    return standing(account, true);
  }

  async function takeWaiting(account: Account): Promise<Taken> {
    account.waiting++;
    try {
      while (account.held === 0 && !account.spent) {
        account.filling ??= fill(account).finally(() => {
          account.filling = null;
        });
        await account.filling;
      }
    } finally {
      account.waiting--;
    }
    return account.held > 0 ? spendHeld(account) : standing(account, false);
  }

  async function fill(account: Account): Promise<void> {
    if (await leaseInto(account)) return;
    await db.query(`select pg_notify('${QUOTA_CHANNEL}', $1)`, [`recall ${self} ${keyOf(account.budget)}`]);
    await sleep(RECALL_MS);
    if (!(await leaseInto(account))) account.spent = true;
  }

  /** A lease spent in no time is doubled, so that a busy budget costs a statement now and then, not one in fifty. */
  function wantedOf(account: Account): { least: number; most: number } {
    const lastedMs = monotonicMs() - account.leasedAtMs;
    // Where others lease too, leases stay small: what they can take unheard is what makes `remaining` vague.
    if (account.shared) account.leaseUnits = LEASE_UNITS;
    else if (lastedMs < SHORT_LEASE_MS) account.leaseUnits = Math.min(LEASE_UNITS_MAX, account.leaseUnits * 2);
    else if (lastedMs > IDLE_MS) account.leaseUnits = LEASE_UNITS;
    account.leasedAtMs = monotonicMs();
    return { least: Math.max(1, account.waiting), most: account.leaseUnits };
  }

  async function leaseInto(account: Account): Promise<boolean> {
    const { granted, left, day, endsInMs, shared } = await lease(db, account.budget, wantedOf(account), self);
    if (day !== account.day) Object.assign(account, { day, held: 0 });
    account.endsAtMs = monotonicMs() + endsInMs;
    account.left = left;
    account.shared = shared;
    account.held += granted;
    account.usedAtMs = monotonicMs();
    if (account.held > 0) holding.add(account);
    return granted > 0;
  }

  async function returnHeld(which: Iterable<Account>): Promise<void> {
    const units = [...which].map((account) => {
      const { held, day, budget } = account;
      account.held = 0;
      holding.delete(account);
      return { ...budget, day, count: held };
    });
    await returnUnits(db, units);
    for (const unit of units) await tell(`free ${self} ${keyOf(unit)}`);
  }

  function tell(message: string): Promise<unknown> {
    return db.query(`select pg_notify('${QUOTA_CHANNEL}', $1)`, [message]).catch(() => {});
  }

  await db.listen(QUOTA_CHANNEL, (message) => {
    const [, kind, from, rest] = /^(recall|lease|free) (\S+) (.*)$/.exec(message) ?? [];
    if (kind === undefined || from === self) return;
    if (kind === 'lease') {
      const [, left, key] = /^(\d+) (.*)$/.exec(rest!)!;
      const account = accounts.get(key!);
      if (account) Object.assign(account, { left: Math.min(account.left, Number(left)), shared: true });
      return;
    }
    const account = accounts.get(rest!);
    if (account === undefined) return;
    if (kind === 'free') account.spent = false;
    else if (account.held > 0) void returnHeld([account]).catch(() => {});
  });

  const sweep = setInterval(() => {
    const idle = [...holding].filter((account) => monotonicMs() - account.usedAtMs >= IDLE_MS);
    if (idle.length > 0) void returnHeld(idle).catch(() => {});
  }, SWEEP_MS);
  sweep.unref();

  return {
    take(budget) {
      const account = accountOf(budget);
      if (account.held > 0) return spendHeld(account);
      return account.spent ? standing(account, false) : takeWaiting(account);
    },
    async standing(budget) {
      const { leased, endsInMs } = await leasedToday(db, budget);
      const held = accounts.get(keyOf(budget))?.held ?? 0;
      return { remaining: Math.max(0, budget.limit - leased) + held, resetInMs: endsInMs };
    },
    giveBack(budget) {
      const account = accounts.get(keyOf(budget));
      if (account === undefined || monotonicMs() >= account.endsAtMs) return;
      account.held++;
      holding.add(account);
    },
    async close() {
      clearInterval(sweep);
      await returnHeld(holding);
    },
  };
}

function keyOf({ policy, subject }: { policy: string; subject: string }): string {
  return `${policy} ${subject}`;
}
