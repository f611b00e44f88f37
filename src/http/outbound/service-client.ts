import type { LookupAddress } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/client.ts';
import { type OutboundAnswer, openOutbound } from './outbound.ts';
import type { OutboundError } from './outbound-hop.ts';
import { keepFault, keepSuccess, takeTry } from './service-client-state.ts';

export type ServiceClientWorld = {
  db: Sql;
  /** Milliseconds since the epoch: days of budgets, cool-downs. */
  clock: () => number;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  lookup?: (host: string) => Promise<LookupAddress[]>;
};

export type ServiceClientOptions = {
  /** Of the connection; budget, circuit and health are kept by it, for all processes together. */
  id: string;
  /** The hosts that may be called, as `openOutbound` takes them. */
  hosts: readonly string[];
  privateHosts?: readonly string[];
  /** Tries a UTC day; null: as many as wanted. */
  budgetPerDay?: number | null;
  /** Of a call, its retries and waits included. */
  timeoutMs?: number;
  tryTimeoutMs?: number;
  /** At most, of a call that may be repeated. */
  tries?: number;
  /** Before the second try it is waited up to this long, then up to twice as long, … */
  backoffMs?: number;
  /** Faults in a row that open the circuit, and how long it then stays open. */
  opensAfter?: number;
  coolDownMs?: number;
  maxBytes?: number;
};

export type ServiceRequest = {
  url: string;
  /** A POST is sent once, unless it is `repeatable`: sending it twice does no harm. */
  method?: 'GET' | 'POST';
  repeatable?: boolean;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Abandoned by the caller: not a fault of the service. */
  signal?: AbortSignal;
  /** The time that the caller has; never more than the client's own. */
  timeoutMs?: number;
  /** Units of the day's budget that this call leaves to others. */
  leaveUnits?: number;
};

export type ServiceFault =
  | 'timeout'
  | 'budget_spent'
  | 'circuit_open'
  | 'rate_limited'
  | 'paused'
  | 'unauthorized'
  | 'unreachable'
  | 'server_error'
  | 'refused'
  | 'too_large';

export type ServiceAnswer =
  /** Any status but 401, 403, 429 and those of 500 and above. */
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | {
      ok: false;
      reason: ServiceFault;
      /** One sentence without a secret; it may name the host. */
      message: string;
      /** Of the service's answer, when it gave one. */
      status?: number;
      retryAfterMs?: number;
    };

type FailedRequest = Extract<ServiceAnswer, { ok: false }>;

/** Calls one outside service, within its budget and its patience. */
export type ServiceClient = {
  id: string;
  budgetPerDay: number | null;
  ask(request: ServiceRequest): Promise<ServiceAnswer>;
};

const LONGEST_BACKOFF_MS = 8000;
/** A service that was given less time than this did nothing wrong. */
const FAIR_TIME_MS = 1000;
const TRANSIENT: ReadonlySet<ServiceFault> = new Set(['timeout', 'unreachable', 'server_error', 'rate_limited']);

/**
 * Opens a client of an outside service. Each try takes a unit of the day's budget before it is made; what may be repeated is, after a
 * transient fault, with full jitter (M. Brooker, "Exponential Backoff and Jitter", 2015) and as late as `Retry-After`
 * says, if that is within the caller's time. Never throws for what the other side does.
 */
export function openServiceClient(world: ServiceClientWorld, options: ServiceClientOptions): ServiceClient {
  const { db, clock, random = Math.random, lookup } = world;
  const { id, hosts, privateHosts, budgetPerDay = null, timeoutMs = 15_000, maxBytes } = options;
  const { tryTimeoutMs = Math.min(6000, timeoutMs), tries = 3, backoffMs = 250, opensAfter = 5 } = options;
  const { coolDownMs = 60_000 } = options;
  const outbound = openOutbound({
    allowedHosts: hosts,
    privateHosts,
    maxBytes,
    lookup,
    timeoutMs,
    idleTimeoutMs: tryTimeoutMs,
  });

  /** Makes a try that was taken, and keeps its outcome. */
  async function tryOnce(request: ServiceRequest, givenMs: number): Promise<ServiceAnswer> {
    const { url, method = 'GET', headers = {}, body, signal } = request;
    const startedMs = performance.now();
    const outcome = await outbound(url, { method, headers, body, signal, timeoutMs: givenMs });
    if (!outcome.ok && outcome.error === 'aborted') return givenUp();
    const answer = answerOf(outcome, clock());
    if (answer.ok) {
      await keepSuccess(db, id, { nowMs: clock(), tookMs: performance.now() - startedMs });
      return answer;
    }
    const unfair = answer.reason === 'timeout' && givenMs < Math.min(FAIR_TIME_MS, tryTimeoutMs);
    await keepFault(db, id, {
      nowMs: clock(),
      reason: answer.reason,
      counts: answer.reason !== 'rate_limited' && !unfair,
      opensAfter,
      coolDownMs,
      retryAfterMs: answer.retryAfterMs ?? null,
    });
    return answer;
  }

  async function ask(request: ServiceRequest): Promise<ServiceAnswer> {
    const endsMs = performance.now() + Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
    const most = (request.method ?? 'GET') === 'GET' || request.repeatable ? tries : 1;
    let last: FailedRequest | null = null;
    for (let number = 1; ; number++) {
      if (request.signal?.aborted) return givenUp();
      const held = await takeTry(db, id, {
        nowMs: clock(),
        budgetPerDay,
        leaveUnits: request.leaveUnits ?? 0,
        probeMs: tryTimeoutMs + FAIR_TIME_MS,
        waited: last !== null,
      });
      if (held !== null) return last ?? { ok: false, ...held, message: HELD[held.reason] };
      const answer = await tryOnce(request, Math.max(1, Math.min(tryTimeoutMs, endsMs - performance.now())));
      if (answer.ok || !TRANSIENT.has(answer.reason) || number >= most) return answer;
      last = answer;
      const jitterMs = random() * Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** (number - 1));
      const waitMs = Math.max(jitterMs, answer.retryAfterMs ?? 0);
      if (performance.now() + waitMs >= endsMs) return answer;
      await sleep(waitMs, undefined, { signal: request.signal }).catch(() => {});
    }
  }

  return { id, budgetPerDay, ask };
}

const HELD = {
  budget_spent: 'The budget of the day is spent.',
  circuit_open: 'It failed several times in a row and is not called for a while.',
  rate_limited: 'It requested a pause.',
  paused: 'It is paused by the operator.',
} as const;

/** Faults of calls without an answer; every other one is `refused`. */
const OUTBOUND_FAULTS: Partial<Record<OutboundError, ServiceFault>> = {
  timeout: 'timeout',
  unknown_host: 'unreachable',
  unreachable: 'unreachable',
  too_large: 'too_large',
};

function answerOf(answer: OutboundAnswer, nowMs: number): ServiceAnswer {
  if (!answer.ok) return { ok: false, reason: OUTBOUND_FAULTS[answer.error] ?? 'refused', message: answer.message };
  const { status, headers } = answer;
  const fault = status === 429 ? 'rate_limited' : status >= 500 ? 'server_error' : null;
  const reason = fault ?? (status === 401 || status === 403 ? 'unauthorized' : null);
  if (reason === null) return answer;
  const wait = reason === 'unauthorized' ? null : retryAfter(headers['retry-after'], nowMs);
  return { ok: false, reason, message: `It answered ${status}.`, status, retryAfterMs: wait ?? undefined };
}

/** `Retry-After` in milliseconds from now: seconds, or an HTTP date (RFC 9110, 10.2.3); null without one. */
export function retryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function givenUp(): FailedRequest {
  return { ok: false, reason: 'timeout', message: 'The call was given up.' };
}
