import { LRUCache } from 'lru-cache';
import type { PolicyName } from './gate.ts';

/** One way to send a cached response: plain or compressed. Raw header pairs, flat: name, value, name, value… */
export type CachedVariant = { body: Buffer; etag: string | null; headers: readonly string[] };

/** A response that can be cached: everything that does not differ from caller to caller. */
export type ReadyAnswer = {
  status: number;
  /** The budget it is taken from. */
  policy: PolicyName;
  /** Its content type. */
  type: string;
  /** Sent with digests. */
  digested: boolean;
  plain: CachedVariant;
  /** Compressed once in each encoding, at the first request for it: a promise until that is done. */
  compressed: { [Encoding in 'gzip' | 'br']?: CachedVariant | Promise<CachedVariant> };
  /** For 304: without what describes the body. */
  bareHeaders: readonly string[];
};

/** An answer just made, and whether the next caller may have it too. */
export type Made = { answer: ReadyAnswer; keep: boolean };

/** Cached responses by request target (path and query as sent). */
export type AnswerCache = {
  get(target: string): ReadyAnswer | undefined;
  /**
   * Makes the answer of a target that is not kept. Single-flight: concurrent requests share one making. Kept where `keep`
   * says so, unless what it was made from has changed since (`clear`). With `isShared: false` each request makes its own.
   */
  make(target: string, make: () => Promise<Made>, options?: { isShared: boolean }): Promise<ReadyAnswer>;
  /** Forgets everything: prices closed, or the catalog changed. */
  clear(): void;
};

/** Overhead of an entry beyond its body, roughly: headers, key, the map's own. */
const ENTRY_BYTES = 1500;
/** Also an upper bound of how stale an answer can be should a notification be lost. */
const MAX_AGE_MS = 60_000;

/** A cache of at most `megabytes` of answers; 0 keeps nothing. */
export function openAnswerCache(megabytes: number): AnswerCache {
  if (megabytes === 0) return { get: () => undefined, make: async (_, make) => (await make()).answer, clear() {} };
  const maxSize = megabytes * 2 ** 20;
  const cache = new LRUCache<string, ReadyAnswer>({
    maxSize,
    maxEntrySize: maxSize / 8,
    // Compressed forms come later: half as much again is set aside for them.
    sizeCalculation: (answer, key) => Math.ceil(answer.plain.body.length * 1.5) + key.length * 2 + ENTRY_BYTES,
    ttl: MAX_AGE_MS,
    // One reading of the clock a second is exact enough.
    ttlResolution: 1000,
  });
  let underWay = new Map<string, Promise<ReadyAnswer>>();
  return {
    get: (target) => cache.get(target),
    make(target, make, { isShared } = { isShared: true }) {
      const begun = underWay;
      const shared = isShared ? begun.get(target) : undefined;
      if (shared !== undefined) return shared;
      const making = make()
        .then(({ answer, keep }) => {
          if (keep && begun === underWay) cache.set(target, answer);
          return answer;
        })
        .finally(() => isShared && begun.delete(target));
      if (isShared) begun.set(target, making);
      return making;
    },
    clear() {
      underWay = new Map();
      cache.clear();
    },
  };
}
