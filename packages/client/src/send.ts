import { MintmarkProblem, problemOf } from './problem.ts';

/** How a client sends its requests. */
export type Sending = {
  fetch: typeof fetch;
  /** How often a request that failed is repeated. */
  retries: number;
  /** The longest wait before a repetition, in seconds: for longer ones the problem is thrown at once. */
  patience: number;
  /** Called with what each answer says of the budget. */
  onQuota(quota: Quota): void;
};

/** What is left of a budget: requests of `limit`, until it is whole again in `resetSeconds`. */
export type Quota = { limit: number; remaining: number; resetSeconds: number };

/** A request; sent twice, it is done once. */
export type Outgoing = { url: URL; init: RequestInit };

const BUSY = [429, 502, 503, 504];

/**
 * The answer to a request that succeeded. What the service was too busy for, and what was broken off, is sent again
 * after the time that it asks for, else after one second, two, four …, each up to half shorter by chance, so that not all clients
 * come back at once.
 * @throws MintmarkProblem for every other answer; what `fetch` throws; the reason of an aborted signal.
 */
export async function send(sending: Sending, { url, init }: Outgoing): Promise<Response> {
  for (let repeated = 0; ; repeated++) {
    const answer = await attempt(sending, url, init);
    if (answer instanceof Response) return answer;
    const wait =
      (answer instanceof MintmarkProblem ? answer.retryAfter : null) ?? 2 ** repeated * (0.5 + Math.random() / 2);
    init.signal?.throwIfAborted();
    if (repeated >= sending.retries || wait > sending.patience || !isWorthRepeating(answer)) throw answer;
    await sleep(wait * 1000, init.signal);
  }
}

async function attempt(sending: Sending, url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await sending.fetch(url, init);
    const quota = quotaOf(response);
    if (quota !== null) sending.onQuota(quota);
    return response.ok ? response : await problemOf(response);
  } catch (error) {
    return error;
  }
}

function isWorthRepeating(failure: unknown): boolean {
  return !(failure instanceof MintmarkProblem) || BUSY.includes(failure.status);
}

function quotaOf({ headers }: Response): Quota | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`);
    return value === null ? Number.NaN : Number(value);
  }) as [number, number, number];
  return Number.isFinite(limit + remaining + resetSeconds) ? { limit, remaining, resetSeconds } : null;
}

/** Waits; an aborted signal ends it with its reason. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
