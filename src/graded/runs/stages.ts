/** What a valuation goes through, in this order. */
export const STAGES = [
  'cert_lookup',
  'identify',
  'enrich',
  'find_item',
  'cache_check',
  'match',
  'crawl',
  'fmv',
  'done',
] as const;
type Stage = (typeof STAGES)[number];

/** What a valuation reports about one stage. */
export type RunProgress = {
  stage: Stage;
  /** One sentence for people. */
  message: string;
  status: 'running' | 'ok' | 'skipped' | 'error';
  /** The stage is over. */
  done?: true;
  /** What it found, by stage. */
  data?: Record<string, unknown>;
};

export function running(stage: Stage, message: string): RunProgress {
  return { stage, message, status: 'running' };
}

export function ended(
  stage: Stage,
  status: Exclude<RunProgress['status'], 'running'>,
  message: string,
  data?: Record<string, unknown>,
): RunProgress {
  return { stage, message, status, done: true, ...(data === undefined ? {} : { data }) };
}

/**
 * Each stage once (its beginning, then its end) and in the order above, whatever the steps repeat: a valuation of a photo
 * is made of several, and the stages of one may come again in another. A run that is taken up goes on after `last`.
 */
export async function* inOrder<End>(
  steps: AsyncGenerator<RunProgress, End>,
  last?: RunProgress,
): AsyncGenerator<RunProgress, End> {
  let place = last === undefined ? -1 : STAGES.indexOf(last.stage);
  let isEnded = last?.done === true;
  try {
    while (true) {
      const step = await steps.next();
      if (step.done) return step.value;
      const next = STAGES.indexOf(step.value.stage);
      const isNews = next > place || (next === place && !isEnded && step.value.done === true);
      if (!isNews) continue;
      place = next;
      isEnded = step.value.done === true;
      yield step.value;
    }
  } finally {
    await steps.return(undefined as never);
  }
}

/** The share of a valuation's time that those stages may take which wait for others. The rest takes milliseconds. */
const SHARES = { identify: 0.4, find_item: 0.3, crawl: 0.5 } as const;

type WaitingStage = keyof typeof SHARES;

/** How long a stage may take of a valuation that should end in `wholeMs`. Together they may take longer: then it goes on as a job. */
export function stageMs(stage: WaitingStage, wholeMs: number): number {
  return Math.round(SHARES[stage] * wholeMs);
}

/** The result of `work`, or null when it takes longer than `ms` or the signal aborts first. Throws what `work` throws. */
export async function within<T>(
  work: (limit: AbortSignal) => Promise<T>,
  ms: number,
  signal: AbortSignal,
): Promise<T | null> {
  const timeout = AbortSignal.timeout(ms);
  const limit = AbortSignal.any([signal, timeout]);
  if (limit.aborted) return null;
  // Its own listener keeps the timeout from garbage collection: `AbortSignal.any` keeps its sources weakly.
  const over = new Promise<null>((resolve) => {
    for (const one of [signal, timeout]) one.addEventListener('abort', () => resolve(null), { once: true });
  });
  return Promise.race([work(limit), over]);
}
