import { DEFAULT_PARAMS as P } from '../../../src/pricing/model/params.ts';
import { markdownTable } from './measured-tables.ts';
import type { ExampleRow } from './worked-example.ts';

/** The parameters of the model as Markdown, from the code. */
export function parametersTable(): string {
  const root = (variance: number) => `${short(Math.sqrt(variance))}²`;
  const { venuePrior: s } = P;
  const rows = [
    ['ν', `${P.nu}`, 'fixed; the optimum is flat in 3 to 8'],
    ['noise σ²', root(P.saleVariance), 'log score on real and simulated sales'],
    [
      'variance of a, of b, a day',
      `${root(P.levelVariancePerDay)}, ${root(P.gradeVariancePerDay)}, times ω`,
      'log score',
    ],
    [
      'market: level, drift, damping, first variance of the drift',
      `${root(P.marketVariance)}, (6e-5)², ${short(P.driftDamping)}, ${P.firstDriftVariance}`,
      'log score',
    ],
    ['first level of a card', `variance ${P.firstLevelVariance}, mean ln 45 before a game has any`, 'fixed'],
    ['mistaken records', `${short(P.junkShare)} of first sales, variance ${short(P.junkVariance)}`, 'fixed'],
    [
      'α (log over PSA 9)',
      'PSA 10 1.1, 8 −.4, 7 −.7; BGS 10 1.5, 9.5 .5, 9 −.1; CGC 10 .7, 9.5 .15, 9 −.2; others −.5',
      'prior, refitted monthly',
    ],
    [
      'τ',
      `PSA 10 .4, 9 .25, 8 and 7 .3; BGS 10 .55, 9.5 .4, 9 .25; CGC 10 .45, 9.5 .35, 9 .25; others .4; at least ${short(P.deviationSdMin)}`,
      'prior, refitted monthly',
    ],
    [
      'slope β, bend ψ',
      `1 + β + 2ψ·x from .4 at every level, β at most ${short(P.slopeMax)}; ψ of ungraded cards only`,
      'guide prices; shrunk to 0, refitted monthly',
    ],
    [
      'era',
      'age of a set 0–1, 1–3, 3–8, 8–20, 20 and more years, from the middle of its year of release',
      'guide prices',
    ],
    [
      'venue s',
      `fixed price ${short(s.fixed)}, accepted offer ${short(s.offer)}, house auction ${short(s.house_auction)}, shop ${short(s.shop)}; sd ${short(P.venueSd)}, +1e-7 of variance at each update`,
      'prior, learned',
    ],
    [
      'noise of a grade before any sale',
      "1 times its game's; ungraded cards 4 times",
      'measured on ungraded hockey cards',
    ],
    ['outlier, its wait', `weight below ${short(P.outlierWeight)}, ${P.jumpDays} days`, 'fixed'],
    [
      'pseudo-counts',
      `noise: game ${P.gameNoisePseudoSales}, grade ${P.gradeNoisePseudoSales}, card ${P.noisePseudoSales} sales; volatility ${P.surprisePseudoPairs} pairs; grade ${P.gradePseudoCards}, set ${P.setPseudoCards}, slope ${P.slopePseudoCards} (ungraded cards: slope and bend 10 each) cards; era 3 sets`,
      'shrinkage',
    ],
  ];
  return markdownTable(['Parameter', 'Value', 'How it is chosen'], rows).replaceAll('--:', '---');
}

/** `.145`; `−.02`. */
function short(value: number): string {
  return String(Number(value.toFixed(4)))
    .replace(/^(-?)0\./, '$1.')
    .replace('-', '−');
}

const dollars = (cents: number) => `$${Math.round(cents / 100)}`;

/** The worked example: a row a sale. */
export function exampleTable(rows: readonly ExampleRow[]): string {
  const range = ({ lowUsdCents, highUsdCents }: ExampleRow['value']) =>
    `${dollars(lowUsdCents)}–${dollars(highUsdCents)}`;
  return markdownTable(
    [
      'Day',
      'Sold for',
      'Our price before',
      'Weight',
      'Our price after',
      'Range of the value',
      'Range of the next sale',
    ],
    rows.map(({ day, usd, beforeCents, weight, cents, value, nextSale, isUnconfirmed }) => [
      `${day}`,
      `$${usd}`,
      beforeCents === null ? '–' : dollars(beforeCents),
      weight.toFixed(2),
      dollars(cents) + (isUnconfirmed ? ', unconfirmed' : ''),
      range(value),
      range(nextSale),
    ]),
  );
}
