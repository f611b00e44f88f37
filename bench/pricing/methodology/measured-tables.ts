import { BASELINES, type Baseline } from '../../../src/pricing/backtest-baselines.ts';
import type { ForecastGroup } from '../../../src/pricing/backtest-groups.ts';
import type { PairedDifference } from '../../../src/pricing/backtest-intervals.ts';
import type { BacktestTable } from '../../../src/pricing/backtest-table.ts';
import type { GuideFigures } from '../guide-figures.ts';

/** The measured tables of the methodology, as Markdown. */

const RULES: Record<Baseline, string> = {
  lastSale: 'last sale',
  meanOf3: 'mean of 3',
  medianOf5: 'median of 5',
  median30Days: '30-day median',
  ewma: 'weighted mean',
};
const BANDS: Record<string, string> = { '13+': '13 and more', '4-12': '4 to 12', '1-3': '1 to 3' };

export type Measured = { name: string; table: BacktestTable };

/** Each sample, and its bands, with the best simple rule. */
export function samplesTable(samples: readonly Measured[]): string {
  const rows = samples.flatMap(({ name, table }) =>
    table.bands.map((band) => {
      const { mdape, mal } = bestRules(band);
      const [model] = band.methods;
      const held = band.coverage.find(({ rangePct }) => rangePct === 80)!.heldPct.toFixed(1);
      return [
        band.name === 'all' ? `**${name}**` : `… ${BANDS[band.name]} earlier sales`,
        band.forecasts.toLocaleString('en-US'),
        model!.mdApePct.toFixed(1),
        `${mdape.mdApePct.toFixed(1)} ${mdape.rule}`,
        model!.mal.toFixed(1),
        `${mal.mal.toFixed(1)} ${mal.rule}`,
        signed(model!.biasPct, 1),
        held,
      ];
    }),
  );
  const head = ['', 'forecasts', 'MdAPE', 'best simple rule', 'mal', 'best simple rule', 'bias', 'within 80% range'];
  return markdownTable(head, rows);
}

/** The groups of at least `LOSS_FORECASTS` in which a simple rule has the lower MdAPE, the largest loss first. */
export function lossesTable(samples: readonly Measured[]): string {
  const losses = samples.flatMap(({ name, table }) =>
    [...table.bands.map(banded), ...table.priceBuckets.map(priced)].flatMap(({ group, words }) => {
      const { mdape } = bestRules(group);
      const points = group.methods[0]!.mdApePct - mdape.mdApePct;
      if (group.forecasts < LOSS_FORECASTS || points <= 0) return [];
      const pair = table.intervals.pairs.find(
        ({ band, baseline }) => band === group.name && baseline === mdape.baseline,
      );
      const interval = pair === undefined ? 'not resampled' : intervalText(pair.mdApePct);
      return [{ points, row: [`${name}, ${words}`, `${group.forecasts}`, signed(points, 1), mdape.rule, interval] }];
    }),
  );
  const rows = losses.sort((a, b) => b.points - a.points).map(({ row }) => row);
  return markdownTable(['', 'forecasts', 'MdAPE behind', 'the rule', '95% interval'], rows);
}

const LOSS_FORECASTS = 50;

const banded = (group: ForecastGroup) => {
  return { group, words: group.name === 'all' ? 'all' : `${BANDS[group.name]} earlier sales` };
};
const priced = (group: ForecastGroup) => ({ group, words: `forecast ${group.name}` });

/** Guide prices of grades that never sold, and of old ones. */
export function guidesTable(figures: readonly GuideFigures[]): string {
  const rows = figures.map(({ name, cards, sets }) => [
    name,
    cards.forecasts.toLocaleString('en-US'),
    `${cards.mdApePct.toFixed(1)} (${signed(cards.biasPct, 1)})`,
    `${sets.mdApePct.toFixed(1)} (${signed(sets.biasPct, 1)})`,
  ]);
  return markdownTable(['MdAPE (bias), %', 'forecasts', 'cards held out', 'whole sets held out'], rows);
}

/** The simple rule with the lowest MdAPE, and the one with the lowest mal; a group may have one rule only. */
function bestRules({ methods }: ForecastGroup) {
  const rules = methods.flatMap(({ method, ...figures }) => {
    const baseline = BASELINES.find((one) => one === method);
    return baseline === undefined ? [] : [{ ...figures, baseline, rule: RULES[baseline] }];
  });
  const least = (of: (one: (typeof rules)[number]) => number) => rules.reduce((a, b) => (of(b) < of(a) ? b : a));
  return { mdape: least(({ mdApePct }) => mdApePct), mal: least(({ mal }) => mal) };
}

function intervalText({ low, high }: PairedDifference): string {
  return `${signed(low, 1)} to ${signed(high, 1)}`;
}

export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** The first column on the left, the others on the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}
