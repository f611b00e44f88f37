import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RequestLimits } from '../config.ts';
import type { BudgetStanding, Caller, Gate, Pass, PolicyName } from '../http/gate.ts';
import { ProblemError } from '../http/problem.ts';
import { addressReader, addressSubject } from './address.ts';
import { openBursts, WINDOW_SECONDS } from './burst.ts';
import type { KeyRing } from './keys.ts';
import { withNetworks } from './network-quota.ts';
import type { Quota, QuotaTaken } from './quota.ts';

/** Answers that take a unit; every other one (304, 401, 429, 5xx) gives it back. */
const COUNTED = new Set([400, 404, 405, 413, 422]);
const COUNTED_METHODS = new Set(['GET', 'HEAD', 'POST']);
const DAILY_POLICIES = ['daily', 'image', 'intake'] as const;
const SECONDS_PER_DAY = 86_400;
/** Addresses whose subjects are kept. */
const MAX_ADDRESSES = 10_000;

/** Policies with a budget of a day. */
type Budgeted = Exclude<PolicyName, 'downloads' | 'free' | 'open'>;

/** Policies whose failed tries are counted separately: their budgets are small, and a mistake must not empty one. */
function forgivesFailures(policy: Budgeted): boolean {
  return policy === 'image' || policy === 'intake';
}

type GuardParts = {
  keys: KeyRing;
  quota: Quota;
  /** Null: limits are off, only credentials are checked. */
  limits: RequestLimits | null;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Milliseconds on a clock that never steps, and since the epoch. */
  monotonicMs: () => number;
  clock: () => number;
};

const LOCAL_IPV6 = addressSubject('::1');

/** The gate of a server: identifies the caller, limits bursts and takes from budgets. */
export function openGuard({ keys, quota: budgets, limits, trustedProxies, monotonicMs, clock }: GuardParts): Gate {
  const quota = withNetworks(budgets);
  const addressOf = addressReader(trustedProxies);
  const bursts = openBursts(monotonicMs);
  // Parsing an address costs more than the rest of an admission.
  const subjects = new LRUCache<string, string>({ max: MAX_ADDRESSES, memoMethod: addressSubject });
  const subjectOf = (request: IncomingMessage) => subjects.memo(addressOf(request));

  function callerOf(request: IncomingMessage): Caller {
    const { 'x-api-key': id, 'x-api-secret': secret } = request.headers;
    if (id === undefined && secret === undefined) return { tier: 'public', subject: subjectOf(request) };
    if (typeof id === 'string' && typeof secret === 'string' && keys.accepts(id, secret))
      return { tier: 'partner', subject: `key:${id}` };
    throw rejectionOf(request, id, secret);
  }

  function rejectionOf(request: IncomingMessage, id: unknown, secret: unknown): ProblemError {
    const perMinute = limits?.refusalsPerMinute ?? 0;
    const waitSeconds = bursts.takeInWindow(subjectOf(request), perMinute);
    const advice = 'Too many wrong keys from this address; check X-Api-Key and X-Api-Secret.';
    if (waitSeconds > 0) return tooMany('auth', perMinute, WINDOW_SECONDS, waitSeconds, advice);
    const half = id === undefined || secret === undefined;
    const detail = half
      ? 'Send both X-Api-Key and X-Api-Secret, or neither.'
      : 'The key or its secret is wrong, or the key was revoked.';
    return new ProblemError('unauthorized', detail, { headers: { 'www-authenticate': 'ApiKey realm="partner"' } });
  }

  function checkBurst(caller: Caller): void {
    const perSecond = limits!.burstPerSecond[caller.tier];
    const waitSeconds = bursts.take(caller.subject, perSecond);
    if (waitSeconds === 0) return;
    const advice = `Over the burst limit of ${perSecond} requests a second; this request took nothing from a daily budget. Wait a second and go on.${adviceFor(caller)}`;
    throw tooMany('burst', perSecond, 1, waitSeconds, advice);
  }

  function visit(request: IncomingMessage): void {
    const perSecond = limits?.visitsPerSecond ?? 0;
    const waitSeconds = bursts.take(`visit ${subjectOf(request)}`, perSecond);
    const advice = `More than ${perSecond} pages a second from your address. Wait a second and go on; programs use the API.`;
    if (waitSeconds > 0) throw tooMany('visits', perSecond, 1, waitSeconds, advice);
  }

  function checkTries(request: IncomingMessage): void {
    const perMinute = limits!.failedTriesPerMinute;
    const waitSeconds = bursts.waitInWindow(`tries ${subjectOf(request)}`, perMinute);
    const advice = `Over ${perMinute} failed tries a minute from your address. Wait a minute, and correct what the last answers said.`;
    if (waitSeconds > 0) throw tooMany('tries', perMinute, WINDOW_SECONDS, waitSeconds, advice);
  }

  /** The pass of a download that is free; null where the last one was less than a minute ago. */
  function freeDownload(caller: Caller): Pass | null {
    if (bursts.takeInWindow(`downloads ${caller.subject}`, 1) > 0) return null;
    const policy = policyHeader('downloads', 1, WINDOW_SECONDS);
    return freePass(caller, ['ratelimit-policy', policy, 'ratelimit', `"downloads";r=0;t=${WINDOW_SECONDS}`]);
  }

  function passWith(
    request: IncomingMessage,
    { caller, policy, limit }: { caller: Caller; policy: Budgeted; limit: number },
    taken: QuotaTaken,
  ): Pass {
    const budget = { policy, subject: caller.subject, limit };
    const headers = budgetHeaders(policy, limit, taken, clock());
    const rejection = ({ network, resetInMs }: QuotaTaken, state: string, budgetState: readonly string[]) => {
      const resetsAt = new Date(Math.round((clock() + resetInMs) / 1000) * 1000).toISOString();
      return new ProblemError(
        'rate_limited',
        `The ${policy} budget of ${network ?? `${limit} requests`} ${state}; it is whole again at ${resetsAt} (midnight UTC).${adviceFor(caller)}`,
        {
          headers: { ...Object.fromEntries(pairs(budgetState)), 'retry-after': String(Math.ceil(resetInMs / 1000)) },
          extra: { 'violated-policies': [policy] },
        },
      );
    };
    if (!taken.admitted) throw rejection(taken, 'is spent', headers);
    let isCommitted = false;
    let isWaived = false;
    let more = 0;
    let last = taken;
    // A getter in this literal would make a hidden class for each request, which would keep it until a full collection.
    const pass: Pass = {
      caller,
      headers,
      async takeMore(units) {
        for (const all = more + units; more < all; more++) {
          const one = await quota.take(budget);
          // The headers are those of `settle`, which gives back what was taken.
          if (!one.admitted) throw rejection(one, `has no ${all + 1} units left, which this request takes`, []);
          last = one;
        }
        pass.headers = budgetHeaders(policy, limit, last, clock());
      },
      commit() {
        isCommitted = true;
      },
      waive() {
        isWaived = true;
      },
      settle(status) {
        if (isCommitted) return;
        const hasFailed = forgivesFailures(policy) && (isWaived || COUNTED.has(status));
        if (hasFailed) bursts.takeInWindow(`tries ${subjectOf(request)}`, limits!.failedTriesPerMinute);
        if (!hasFailed && (status < 300 || COUNTED.has(status))) return;
        for (let unit = 0; unit <= more; unit++) quota.giveBack(budget, last);
        pass.headers = budgetHeaders(policy, limit, { ...last, remaining: last.remaining + 1 + more }, clock());
      },
    };
    return pass;
  }

  return {
    enter(request, policy) {
      const caller = callerOf(request);
      if (limits === null) return freePass(caller);
      if (policy === 'site') visit(request);
      else checkBurst(caller);
      if (policy === 'free' || policy === 'open' || !COUNTED_METHODS.has(request.method!)) return freePass(caller);
      const free = policy === 'downloads' ? freeDownload(caller) : null;
      if (free !== null) return free;
      const budgeted = policy === 'downloads' ? 'daily' : policy;
      if (forgivesFailures(budgeted)) checkTries(request);
      const limit = limits[budgeted][caller.tier];
      const taken = quota.take({ policy: budgeted, subject: caller.subject, limit });
      const passOf = (units: QuotaTaken) => passWith(request, { caller, policy: budgeted, limit }, units);
      return taken instanceof Promise ? taken.then(passOf) : passOf(taken);
    },
    visit,
    async standings(caller) {
      if (limits === null) return [];
      return Promise.all(
        DAILY_POLICIES.map(async (policy): Promise<BudgetStanding> => {
          const limit = limits[policy][caller.tier];
          return { policy, limit, ...(await quota.standing({ policy, subject: caller.subject, limit })) };
        }),
      );
    },
  };
}

function freePass(caller: Caller, headers: readonly string[] = []): Pass {
  return { caller, headers, async takeMore() {}, commit() {}, waive() {}, settle() {} };
}

/** The policy as RateLimit-Policy states it (draft-ietf-httpapi-ratelimit-headers). */
function policyHeader(name: string, limit: number, windowSeconds: number): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}

function budgetHeaders(policy: string, limit: number, { remaining, resetInMs }: QuotaTaken, nowMs: number): string[] {
  const seconds = Math.ceil(resetInMs / 1000);
  return [
    'x-ratelimit-limit',
    String(limit),
    'x-ratelimit-remaining',
    String(remaining),
    'x-ratelimit-reset',
    String(Math.round((nowMs + resetInMs) / 1000)),
    'ratelimit-policy',
    policyHeader(policy, limit, SECONDS_PER_DAY),
    'ratelimit',
    `"${policy}";r=${remaining};t=${seconds}`,
  ];
}

function tooMany(
  policy: string,
  limit: number,
  windowSeconds: number,
  waitSeconds: number,
  detail: string,
): ProblemError {
  const retryAfter = Math.max(1, Math.ceil(waitSeconds));
  return new ProblemError('rate_limited', detail, {
    headers: {
      'retry-after': String(retryAfter),
      'ratelimit-policy': policyHeader(policy, limit, windowSeconds),
      ratelimit: `"${policy}";r=0;t=${retryAfter}`,
    },
    extra: { 'violated-policies': [policy] },
  });
}

/** What only somebody on this machine can do about a limit. */
function adviceFor({ subject }: Caller): string {
  const isLocal = subject.startsWith('address:127.') || subject === LOCAL_IPV6;
  return isLocal ? ' On your own installation, LIMITS=off turns limits off.' : '';
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i < flat.length; i += 2) yield [flat[i]!, flat[i + 1]!];
}
