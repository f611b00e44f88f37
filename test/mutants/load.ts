import { resolve } from 'node:path';

/** The file that Stryker changes (pure.ts). */
export const load = (): Promise<unknown> => import(resolve(import.meta.dirname, '../..', process.env.MUTATED!));
