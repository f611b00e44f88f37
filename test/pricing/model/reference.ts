import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VenueClass } from '../../../src/pricing/model/params.ts';

/** The prototype of the method, kept outside this project; absent, the tests that compare with it are skipped. */
export type ReferenceSale = {
  id: number;
  day: number;
  card: number;
  set: number;
  game: string;
  grade: string;
  venue: string;
  cents: number;
  /** Set by its closes: rejected, why; an outlier. */
  rej?: string;
  out?: boolean;
};
export type ReferenceQuote = { log: number; sd: number; cents: number | null; conf: number; n: number };
type ReferenceEngine = {
  closeDay(day: number, sales: ReferenceSale[], observe: null): void;
  refitCurves(): void;
  quote(card: number, grade: string): ReferenceQuote | null;
};
export type ReferenceMarket = {
  days: number;
  games: { name: string }[];
  cards: { game: number; set: number }[];
  sales: { id: number; day: number; card: number; k: number; v: number; cents: number }[];
};
type ReferenceIndex = {
  series: [day: number, level: number, ...unknown[]][];
  addSale(key: number, day: number, cents: number): void;
  closeDay(
    day: number,
    quote: (key: number) => (ReferenceQuote & { raw: number }) | null,
    isRotation: boolean,
    cardOf: (key: number) => number,
  ): void;
};
type Generator = {
  GRADES: string[];
  VENUES: string[];
  generate(options: {
    seed: number;
    days: number;
    rateScale?: number;
    games: { name: string; cards: number; sets: number; start: number }[];
  }): ReferenceMarket;
};

/** The prototype's price engine, index engine and generator, or null where they are not. */
export async function loadReference() {
  const folder = resolve(process.env.MINTMARK_REFERENCE ?? '../shared/reference', 'pricing');
  if (!existsSync(join(folder, 'fmv.mjs'))) {
    console.warn('skipped: no prototype to compare with (set MINTMARK_REFERENCE to the folder that has pricing/)');
    return null;
  }
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const { Engine } = (await load('fmv.mjs')) as { Engine: new () => ReferenceEngine };
  const { IndexEngine } = (await load('index.mjs')) as { IndexEngine: new (game: string) => ReferenceIndex };
  const generator = (await load('gen.mjs')) as Generator;
  return { Engine, IndexEngine, generator };
}

/** The prototype's names of grades and venues, as the model's. */
export const GRADE_KEY: Record<string, string> = {
  'PSA 10': 'psa-10',
  'PSA 9': 'psa-9',
  'PSA 8': 'psa-8',
  'PSA 7': 'psa-7',
  'BGS 10': 'bgs-10',
  'BGS 9.5': 'bgs-9-5',
  'BGS 9': 'bgs-9',
  'CGC 10': 'cgc-10-gem-mint',
  'CGC 9.5': 'cgc-9-5',
  'CGC 9': 'cgc-9',
};
export const VENUE_CLASS: Record<string, VenueClass> = {
  'ebay/auction': 'auction',
  'ebay/fixed': 'fixed',
  'ebay/offer': 'offer',
  'house/auction': 'house_auction',
  'shop/fixed': 'shop',
};
