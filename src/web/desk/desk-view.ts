import type { DeskWorld } from './desk-world.ts';

/** What a section is made from. */
export type DeskView = {
  world: DeskWorld;
  query: URLSearchParams;
  /** The desk's folder, as its pages address it. */
  base: string;
  /** The token of every form. */
  token: string;
  /** The page itself, relative to the folder: forms return to it. */
  back: string;
};

const MAX_OFFSET = 1_000_000;

/** The whole number that a query states, from 0 to a million; `fallback` for anything else. */
export function wholeIn<Fallback>(query: URLSearchParams, name: string, fallback: Fallback): number | Fallback {
  const text = query.get(name) ?? '';
  return /^\d{1,7}$/.test(text) && Number(text) <= MAX_OFFSET ? Number(text) : fallback;
}
