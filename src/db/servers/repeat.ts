/** Work that is done again and again. */
export type Repeated = {
  /** Does it now, or once more when it is being done. */
  now(): void;
  stop(): void;
};

/** Does the work at once and then `everyMs` after each end of it; it does not keep the process. The work never throws. */
export function repeat(everyMs: number, work: () => Promise<void>): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let [isRunning, isDue, isStopped] = [false, false, false];

  async function run(): Promise<void> {
    clearTimeout(timer);
    isDue = isRunning;
    if (isRunning || isStopped) return;
    isRunning = true;
    await work();
    isRunning = false;
    if (isDue) await run();
    else if (!isStopped) timer = setTimeout(run, everyMs).unref();
  }

  void run();
  return {
    now: () => void run(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
