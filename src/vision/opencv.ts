import { createRequire } from 'node:module';

/** OpenCV. Its `Mat`s, vectors and matchers are in memory of its own: the code that makes one calls its `delete()`. */
export type CV = typeof import('@techstark/opencv-js');
export type Mat = InstanceType<CV['Mat']>;

/**
 * Work with `Mat`s of its own: each that is passed through `own` is deleted when the work ends, but for the one that it
 * returns, which the caller deletes.
 */
export function withMats<T>(work: (own: (mat: Mat) => Mat) => T): T {
  const mats: Mat[] = [];
  let result: unknown;
  try {
    const made = work((mat) => {
      mats.push(mat);
      return mat;
    });
    result = made;
    return made;
  } finally {
    for (const mat of mats) if (mat !== result) mat.delete();
  }
}

const require = createRequire(import.meta.url);
let loading: Promise<void> | null = null;

/**
 * Loads OpenCV once per process or worker, a third of a second. The module comes in an object because it has a `then`:
 * awaited, or returned from an async function, it would never resolve.
 */
export async function openCv(): Promise<{ cv: CV }> {
  const cv = withoutNewListeners(() => require('@techstark/opencv-js') as CV & { onRuntimeInitialized: () => void });
  // Its exports are the functions only once its WebAssembly runs.
  loading ??= cv.Mat === undefined ? new Promise((resolve) => (cv.onRuntimeInitialized = resolve)) : Promise.resolve();
  await loading;
  return { cv };
}

/** The module would end the process at any unhandled rejection, whosever it is, after printing its own 10 MB of source. */
function withoutNewListeners<T>(load: () => T): T {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => process.rawListeners(event));
  const loaded = load();
  for (const [i, event] of events.entries())
    for (const listener of process.rawListeners(event))
      if (!before[i]!.includes(listener)) process.removeListener(event, listener as never);
  return loaded;
}
