/** Limits of short windows, kept in memory by each process. A limit of 0 is off. */
type Bursts = {
  /**
   * Token bucket: `perSecond` tokens a second, at most twice as many at once. Takes one: 0 when there was one, else the
   * seconds until the next.
   */
  take(subject: string, perSecond: number): number;
  /** Fixed window: at most `limit` within a minute of the first. 0 when within, else the seconds until the next. */
  takeInWindow(subject: string, limit: number): number;
  /** As `takeInWindow` would answer, without taking. */
  waitInWindow(subject: string, limit: number): number;
};

export const WINDOW_SECONDS = 60;
/** Subjects remembered; when there are more, all start anew. */
const MAX_SUBJECTS = 100_000;

export function openBursts(nowMs: () => number): Bursts {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const windows = new Map<string, { count: number; endsAtMs: number }>();

  function waitInWindow(subject: string, limit: number): number {
    const { count, endsAtMs } = windows.get(subject) ?? { count: 0, endsAtMs: 0 };
    return limit === 0 || count < limit ? 0 : Math.max(0, endsAtMs - nowMs()) / 1000;
  }

  return {
    take(subject, perSecond) {
      if (perSecond === 0) return 0;
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
    waitInWindow,
    takeInWindow(subject, limit) {
      const waitSeconds = waitInWindow(subject, limit);
      const window = windows.get(subject);
      if (waitSeconds > 0) return waitSeconds;
      if (window !== undefined && nowMs() < window.endsAtMs) window.count++;
      else {
        if (windows.size >= MAX_SUBJECTS) windows.clear();
        windows.set(subject, { count: 1, endsAtMs: nowMs() + WINDOW_SECONDS * 1000 });
      }
      return 0;
    },
  };
}
