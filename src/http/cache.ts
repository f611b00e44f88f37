import { LRUCache } from 'lru-cache';
import type { PolicyName } from './gate.ts';

/** One way to send a ready answer: plain or compressed. Raw header pairs, flat: name, value, name, value… */
export type Variant = { body: Buffer; etag: string | null; headers: readonly string[] };

/** A ready answer: everything that does not differ from caller to caller. */
export type ReadyAnswer = {
  status: number;
  /** The budget it is taken from. */
  policy: PolicyName;
  /** Its content type. */
  type: string;
  /** Sent with digests. */
  digested: boolean;
  plain: Variant;
  /** Filled when first asked for. */
  compressed: { gzip?: Variant; br?: Variant };
  /** For 304: without what describes the body. */
  bareHeaders: readonly string[];
};

/** Ready answers by request target (path and query as sent). */
export type AnswerCache = {
  get(target: string): ReadyAnswer | undefined;
  /** Keeps an answer that was begun in `epoch`, unless what it was made from has changed since. */
  set(target: string, answer: ReadyAnswer, epoch: number): void;
  /** Rises with every `clear`. */
  epoch(): number;
  /** Forgets everything: prices closed, or the catalog changed. */
  clear(): void;
  readonly enabled: boolean;
};

/** Overhead of an entry beyond its body, roughly: headers, key, the map's own. */
const ENTRY_BYTES = 1500;
/** Also an upper bound of how stale an answer can be should a notification be lost. */
const MAX_AGE_MS = 60_000;

/** A cache of at most `megabytes` of answers; 0 keeps nothing. */
export function openAnswerCache(megabytes: number): AnswerCache {
  if (megabytes === 0) return { get: () => undefined, set() {}, epoch: () => 0, clear() {}, enabled: false };
  const maxSize = megabytes * 2 ** 20;
  const cache = new LRUCache<string, ReadyAnswer>({
    maxSize,
    maxEntrySize: maxSize / 8,
    // Compressed forms come later: half as much again is set aside for them.
    sizeCalculation: (answer, key) => Math.ceil(answer.plain.body.length * 1.5) + key.length * 2 + ENTRY_BYTES,
    ttl: MAX_AGE_MS,
    // One look at the clock a second is exact enough.
    ttlResolution: 1000,
  });
  let epoch = 0;
  return {
    enabled: true,
    epoch: () => epoch,
    get: (target) => cache.get(target),
    set(target, answer, begun) {
      if (begun === epoch) cache.set(target, answer);
    },
    clear() {
      epoch++;
      cache.clear();
    },
  };
}
