import { createRequire } from 'node:module';

/** OpenCV. Its `Mat`s, vectors and matchers lie in memory of its own: whoever makes one calls its `delete()`. */
export type CV = typeof import('@techstark/opencv-js');
export type Mat = InstanceType<CV['Mat']>;

const require = createRequire(import.meta.url);
let loading: Promise<void> | null = null;

/**
 * Loads OpenCV once per process or worker, a third of a second. The module comes in an object because it has a `then`:
 * awaited, or returned from an async function, it would never resolve.
 */
export async function openCv(): Promise<{ cv: CV }> {
  // Its exports are the functions only once its WebAssembly runs.
  const cv = require('@techstark/opencv-js') as CV & { onRuntimeInitialized: () => void };
  loading ??= cv.Mat === undefined ? new Promise((resolve) => (cv.onRuntimeInitialized = resolve)) : Promise.resolve();
  await loading;
  return { cv };
}
