import { unavailable } from '../http/problem.ts';

type TurnLimits = { atOnce: number; mayWait: number; message: string; retryAfterSeconds: number };

/** Runs expensive work, at most `atOnce` at a time and in order of arrival. @throws ProblemError `unavailable` when too many wait. */
export function openTurns({ atOnce, mayWait, message, retryAfterSeconds }: TurnLimits) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (waiting.length < mayWait) await new Promise<void>((resume) => waiting.push(resume));
    else throw unavailable(message, retryAfterSeconds);
    try {
      return await work();
    } finally {
      // The place goes to the next in line, before any new request.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
