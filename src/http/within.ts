import { unavailable } from './problem.ts';

/** What work comes to, or null when it takes longer; it goes on all the same. Its fault is thrown. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for what is built from the catalog: 503 with `waiting` where it takes longer, and where it cannot be built. */
export async function builtWithin(ms: number, live: { built(): Promise<void> }, waiting: string): Promise<void> {
  const isBuilt = await within(
    ms,
    live.built().then(() => true),
  ).catch(() => {
    throw unavailable('The catalog cannot be read just now; try again shortly.', 5);
  });
  if (isBuilt === null) throw unavailable(waiting, 5);
}
