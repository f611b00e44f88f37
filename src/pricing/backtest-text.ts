import { counted } from '../lib/counted.ts';
import type { Method } from './backtest-forecasts.ts';
import type { ForecastGroup } from './backtest-groups.ts';
import { MDAPE_FORECASTS, type PairedDifference, type PairedIntervals } from './backtest-intervals.ts';
import type { BacktestTable } from './backtest-table.ts';

/** The table of a backtest as text for a terminal. */

const LABELS: Record<Method, string> = {
  model: 'model',
  lastSale: 'last sale',
  meanOf3: 'mean of 3',
  medianOf5: 'median of 5',
  median30Days: '30-day median',
  ewma: 'EWMA .3',
};
const FIGURES = ['MdAPE %', 'mal', 'bias %'];
const INTERVALS = ['model - baseline: mal', 'MdAPE'];

export function formatBacktest(table: BacktestTable): string {
  const { sales, days, forecasts, bands, priceBuckets, companies, intervals } = table;
  const title = `${counted(sales, 'sale')} over ${counted(days, 'day')}, ${counted(forecasts, 'forecast')}; only earlier days known`;
  if (forecasts === 0) return `${title}: too few sales to forecast any`;
  return [
    title,
    '',
    'By sales of the series on earlier days',
    ...bands.flatMap((band) => groupLines(band, intervals)),
    '',
    'By price of the forecast: the model and the best baseline',
    ...priceBuckets.flatMap((bucket) => groupLines(bucket)),
    '',
    'By grading company',
    ...companies.flatMap((company) => groupLines(company)),
    '',
    ...notes(intervals, forecasts),
  ].join('\n');
}

/** A group; with `intervals`, each baseline is followed by the model's differences from it. */
function groupLines({ name, forecasts, methods, coverage }: ForecastGroup, intervals?: PairedIntervals): string[] {
  const pairs = intervals?.pairs.filter(({ band }) => band === name) ?? [];
  const heading = [...FIGURES.map((text) => text.padStart(9)), ...(pairs.length > 0 ? INTERVALS : []).map(wide)];
  const lines = methods.map(({ method, mdApePct, mal, biasPct }) => {
    const figures = [mdApePct.toFixed(1), mal.toFixed(2), biasPct.toFixed(1)].map((text) => text.padStart(9));
    const pair = pairs.find(({ baseline }) => baseline === method);
    const differences = pair === undefined ? [] : [differenceText(pair.mal, 2), differenceText(pair.mdApePct, 1)];
    return `  ${LABELS[method].padEnd(22)}${[...figures, ...differences.map(wide)].join('')}`;
  });
  const held = coverage.map(({ rangePct, heldPct }) => `${rangePct}%: ${heldPct.toFixed(1)}`).join(', ');
  return ['', `${`${name} (${forecasts})`.padEnd(24)}${heading.join('')}`, ...lines, `  sales in range: ${held}`];
}

function wide(text: string): string {
  return text.padStart(26);
}

function differenceText({ points, low, high }: PairedDifference, digits: number): string {
  return `${points.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}

function notes({ resamples, cards }: PairedIntervals, forecasts: number): string[] {
  const sample =
    forecasts > MDAPE_FORECASTS ? `; those of MdAPE from ${MDAPE_FORECASTS} forecasts of a band, chosen at random` : '';
  return [
    'mal: mean of min(1, |log error|), times 100. bias: mean log error; above 0, forecasts are too high.',
    `In brackets: 95% intervals of ${resamples} paired resamples of ${cards} cards${sample}.`,
  ];
}
