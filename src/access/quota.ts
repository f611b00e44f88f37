import type { Db } from '../db/client.ts';
import { type Budget, returnUnits, takeBlock, takenToday } from './quota-blocks.ts';

/** Whether a request is within its budget, and how much of the budget is left. */
export type QuotaTaken = {
  admitted: boolean;
  /** Units left today, as of the last block that this process took. */
  remaining: number;
  /** Milliseconds until the budget is whole again (midnight UTC), and that moment on the process's monotonic clock. */
  resetInMs: number;
  endsAtMs: number;
  /** The IPv6 network whose wider budget is spent, where that is the reason. */
  network?: string;
};

/**
 * Daily budgets shared by all processes on one database. A process takes units in blocks of a 200th of the budget (one
 * for a small budget) and spends them in memory; with a spent budget, requests are rejected from memory until midnight. Never more than
 * the budget is admitted, in any number of processes; up to ten reject no request while more than 5% of it is unspent.
 * A crash loses the unspent units of the block, and so does a caller who is forgotten among very many.
 */
export type Quota = {
  take(budget: Budget): QuotaTaken | Promise<QuotaTaken>;
  /** How much of a budget is left, without taking from it. */
  standing(budget: Budget): Promise<{ remaining: number; resetInMs: number }>;
  /** Gives back the unit of a request that does not count; one of yesterday is worth nothing today. */
  giveBack(budget: Budget, taken: Pick<QuotaTaken, 'endsAtMs'>): void;
  /** Returns unspent units to the database. */
  close(): Promise<void>;
};

/** What this process knows of one budget today. */
type Account = {
  budget: Budget;
  day: number;
  /** On the monotonic clock, so that a step of the wall clock does not renew a budget. */
  endsAtMs: number;
  held: number;
  /** Not taken by any process when the last block was taken. */
  left: number;
  isSpent: boolean;
  /** The block that is being taken: all requests that wait share it. */
  filling: Promise<void> | null;
};

const MAX_ACCOUNTS = 200_000;

/** Opens the budgets of this process. `monotonicMs` is a clock that never steps. */
export function openQuota(
  db: Db,
  monotonicMs: () => number = () => performance.now(),
  maxAccounts = MAX_ACCOUNTS,
): Quota {
  const accounts = new Map<string, Account>();

  function accountOf(budget: Budget): Account {
    const key = keyOf(budget);
    const whole = { held: 0, left: budget.limit, isSpent: false, endsAtMs: Number.POSITIVE_INFINITY };
    const known = accounts.get(key);
    // Yesterday's units are worth nothing today.
    if (known !== undefined) return monotonicMs() < known.endsAtMs ? known : Object.assign(known, whole);
    if (accounts.size >= maxAccounts) forgetOldest();
    const account: Account = { budget, day: 0, ...whole, filling: null };
    accounts.set(key, account);
    return account;
  }

  /** Whatever it holds: else callers with a unit given back would fill the memory. */
  function forgetOldest(): void {
    for (const [key, account] of accounts) {
      if (account.filling === null) accounts.delete(key);
      if (accounts.size < maxAccounts * 0.9) return;
    }
  }

  function taken({ held, left, endsAtMs }: Account, admitted: boolean): QuotaTaken {
    return { admitted, remaining: held + left, resetInMs: Math.max(0, endsAtMs - monotonicMs()), endsAtMs };
  }

  function spendHeld(account: Account): QuotaTaken {
    account.held--;
    return taken(account, true);
  }

  async function takeWaiting(account: Account): Promise<QuotaTaken> {
    while (account.held === 0 && !account.isSpent) {
      account.filling ??= fill(account).finally(() => {
        account.filling = null;
      });
      await account.filling;
    }
    return account.held > 0 ? spendHeld(account) : taken(account, false);
  }

  async function fill(account: Account): Promise<void> {
    const { granted, left, day, endsInMs } = await takeBlock(db, account.budget);
    // Units that were given back before midnight by the database's clock are worth nothing after it.
    account.held = (day === account.day ? account.held : 0) + granted;
    account.day = day;
    account.endsAtMs = monotonicMs() + endsInMs;
    account.left = left;
    account.isSpent = granted === 0;
  }

  return {
    take(budget) {
      const account = accountOf(budget);
      if (account.held > 0) return spendHeld(account);
      return account.isSpent ? taken(account, false) : takeWaiting(account);
    },
    async standing(budget) {
      const { taken, endsInMs } = await takenToday(db, budget);
      const account = accounts.get(keyOf(budget));
      const held = account !== undefined && monotonicMs() < account.endsAtMs ? account.held : 0;
      return { remaining: Math.max(0, budget.limit - taken) + held, resetInMs: endsInMs };
    },
    giveBack(budget, { endsAtMs }) {
      const account = accounts.get(keyOf(budget));
      if (account !== undefined && monotonicMs() < endsAtMs) account.held++;
    },
    async close() {
      const holding = [...accounts.values()].filter(({ held }) => held > 0);
      await returnUnits(
        db,
        holding.map(({ budget, day, held }) => ({ ...budget, day, count: held })),
      );
      accounts.clear();
    },
  };
}

function keyOf({ policy, subject }: { policy: string; subject: string }): string {
  return `${policy} ${subject}`;
}
