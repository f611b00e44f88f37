import type { IncomingMessage } from 'node:http';

/**
 * Which budget a route takes from. `free` takes from none; at an `open` one the caller is not identified. `site` is
 * for what visitors of the pages start. `downloads` is free for one file a minute; further files are `daily` units.
 */
export type PolicyName = 'daily' | 'image' | 'intake' | 'site' | 'downloads' | 'free' | 'open';

/** The sender of a request: a partner by key, or anybody by address. */
export type Caller = {
  tier: 'partner' | 'public';
  /** The subject that budgets are kept for: `key:mk_…`, `address:203.0.113.7`, `address:2001:db8:1:2::/64`. */
  subject: string;
};

/** The admission of one request. */
export type Pass = {
  caller: Caller;
  /** Raw header pairs that state the budget, for every answer, errors included; read after `settle`. */
  headers: readonly string[];
  /** Takes units beyond the one it was let in with. Throws `rate_limited`, and then nothing is taken. */
  takeMore(units: number): Promise<void>;
  /** From now on the request counts however it ends: work has begun for it. */
  commit(): void;
  /** The request changed nothing: it takes no unit, and counts as a failed try. */
  waive(): void;
  /** Reports how the request ended: the unit of one that does not count is given back. Called once. */
  settle(status: number): void;
};

/** What is left of one budget of a caller. */
export type BudgetStanding = { policy: string; limit: number; remaining: number; resetInMs: number };

/** Admission to every route under /v1. */
export type Gate = {
  /** Lets a request in. Throws `unauthorized` and `rate_limited` problems, at once or later. */
  enter(request: IncomingMessage, policy: PolicyName): Pass | Promise<Pass>;
  /** Lets in a visitor of the pages, who takes from no budget: a limited number a second. Throws `rate_limited`. */
  visit(request: IncomingMessage): void;
  /** The daily budgets of a caller; empty where limits are off. */
  standings(caller: Caller): Promise<BudgetStanding[]>;
};

/** The caller of an `open` route. */
export const ANYBODY: Caller = { tier: 'public', subject: 'anybody' };

/** Lets a request in and calls back: at once where the units are in memory, else when the database has answered. */
export function admit(
  gate: Gate,
  request: IncomingMessage,
  policy: PolicyName,
  onAdmitted: (pass: Pass) => void,
  onRejected: (error: Error) => void,
): void {
  let pass: Pass | Promise<Pass>;
  try {
    pass = gate.enter(request, policy);
  } catch (error) {
    onRejected(error as Error);
    return;
  }
  if (pass instanceof Promise) pass.then(onAdmitted, onRejected);
  else onAdmitted(pass);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was let in with; undefined at open routes and for rejected requests. */
    pass: Pass | undefined;
  }
}
