/** Long work in parts: it yields wherever it may be interrupted, and returns its result. */
export type Steps<Result> = Generator<undefined, Result>;

const AT_A_TIME = 64;

/** Calls back for each in turn. */
export function* forEachInSteps<One>(all: Iterable<One>, work: (one: One, i: number) => void): Steps<void> {
  let i = 0;
  for (const one of all) {
    work(one, i++);
    if (i % AT_A_TIME === 0) yield;
  }
}

/** The result of all parts, one right after the other. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The result; others are let in by `pause` whenever the work has taken `maxBlockMs` on end. */
export async function inSteps<Result>(
  steps: Steps<Result>,
  maxBlockMs: number,
  pause: () => Promise<unknown>,
): Promise<Result> {
  for (let begun = performance.now(); ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < maxBlockMs) continue;
    await pause();
    begun = performance.now();
  }
}
