/** Limits of short windows, kept in memory by each process. */
type Bursts = {
  /**
   * Token bucket: `perSecond` tokens a second, at most twice as many at once. Takes one: 0 when there was one, else the
   * seconds until the next.
   */
  take(subject: string, perSecond: number): number;
  /** Fixed window: at most `limit` within `windowSeconds` of the first. 0 when within, else the seconds until the next. */
  takeInWindow(subject: string, limit: number, windowSeconds: number): number;
  /** As `takeInWindow` would answer, without taking. */
  waitInWindow(subject: string, limit: number): number;
};

/** Subjects remembered; when there are more, all start anew. */
const MAX_SUBJECTS = 100_000;

export function openBursts(nowMs: () => number): Bursts {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const windows = new Map<string, { count: number; endsAtMs: number }>();
  return {
    take(subject, perSecond) {
      const now = nowMs();
      const capacity = perSecond * 2;
      let bucket = buckets.get(subject);
      if (bucket === undefined) {
        if (buckets.size >= MAX_SUBJECTS) buckets.clear();
        bucket = { tokens: capacity, atMs: now };
        buckets.set(subject, bucket);
      }
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = now;
      if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond;
      bucket.tokens--;
      return 0;
    },
    takeInWindow(subject, limit, windowSeconds) {
      const now = nowMs();
      let window = windows.get(subject);
      if (window === undefined || now >= window.endsAtMs) {
        if (windows.size >= MAX_SUBJECTS) windows.clear();
        window = { count: 0, endsAtMs: now + windowSeconds * 1000 };
        windows.set(subject, window);
      }
      window.count++;
      return window.count <= limit ? 0 : (window.endsAtMs - now) / 1000;
    },
    waitInWindow(subject, limit) {
      const now = nowMs();
      const window = windows.get(subject);
      return window === undefined || now >= window.endsAtMs || window.count < limit
        ? 0
        : (window.endsAtMs - now) / 1000;
    },
  };
}
