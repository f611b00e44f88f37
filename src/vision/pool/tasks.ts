import { decodePhoto, type Photo } from '../photo.ts';

/**
 * What runs in a worker, by name: one structured-cloneable value in, one out. The workers alone import this file for
 * its values; for everybody else it is the type of `run`.
 */
export const TASKS = {
  /** Bytes of an upload as pixels. Throws UnusableImage. */
  decode: ({ bytes, maxSidePx }: { bytes: Uint8Array; maxSidePx: number }): Promise<Photo> =>
    decodePhoto(bytes, maxSidePx),
};

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;
