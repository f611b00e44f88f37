import { type Static, type TSchema, Type } from 'typebox';
import { GAMES } from '../../catalog/games.ts';
import type { Core } from '../../http/context.ts';
import { endpoint, type Mounting } from '../../http/endpoint.ts';
import { csvOf, type TableRow } from '../../lib/csv.ts';
import type { Method } from '../backtest-forecasts.ts';
import { type AccuracyGroup, accuracyOf, BAND_NAMES, LEAST_SALES, PRICE_NAMES } from './accuracy.ts';
import { SCORED_COMPANIES } from './read-scores.ts';

/** `GET /v1/accuracy` and `/v1/accuracy.csv`: how far prices were off from the sales that came after them. */

const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
const MAX_AGE_SECONDS = 60;
const GROUPINGS = ['band', 'price', 'age', 'game', 'company', 'month'] as const;

export const accuracyQuery = Type.Object({
  game: Type.Optional(Type.Enum([...GAMES], { description: `One of ${GAMES.join(', ')}.` })),
  company: Type.Optional(Type.Enum([...SCORED_COMPANIES], { description: 'Grading company; `RAW`: ungraded.' })),
  days: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MOST_DAYS }), Type.Literal('all')], {
      description: `Days up to the last close, 1 to ${MOST_DAYS} (30, 90, 365 are usual), or \`all\`; ${DEFAULT_DAYS} by default.`,
    }),
  ),
  band: Type.Optional(Type.Enum([...BAND_NAMES], { description: 'Sales of the series on earlier days.' })),
  price: Type.Optional(Type.Enum([...PRICE_NAMES], { description: 'Price forecast, in dollars.' })),
  groupBy: Type.Optional(
    Type.Enum([...GROUPINGS], {
      description:
        'A row for each group: by sales of the series on earlier days (`band`), by the price forecast, by days since the sale before it (`age`), by game, by grading company, by month of the close. Without it one row, of all.',
    }),
  ),
});
export type AccuracyQuery = Static<typeof accuracyQuery>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const day = nullable(Type.String({ format: 'date', description: 'UTC day; null before the first close.' }));
const percent = (description: string) => nullable(Type.Number({ description }));

const errors = {
  mdape: percent('Median of |forecast / price − 1|, in percent.'),
  bias: percent('Mean of ln(forecast / price), times 100: above 0, forecasts are too high.'),
  within10: percent('Share of the sales within 10% of the forecast, in percent.'),
  within20: percent('The same within 20%.'),
};
const rule = Type.Object(errors);

export const accuracyRow = Type.Object(
  {
    group: Type.String(),
    n: Type.Integer({ description: `Scored sales; all figures are null for fewer than ${LEAST_SALES}.` }),
    ...errors,
    coverage50: percent('Share of the sales inside the 50% range of the next sale, in percent.'),
    coverage80: percent('The same of the 80% range.'),
    coverage95: percent('The same of the 95% range.'),
    baselines: nullable(
      Type.Object(
        { last: rule, mean3: rule, median5: rule, median30d: rule, ewma: rule },
        { description: 'The same errors of simple rules on the same sales.' },
      ),
    ),
  },
  { title: 'AccuracyRow' },
);
export type AccuracyRow = Static<typeof accuracyRow>;
type Errors = Static<typeof rule>;

/** What an answer says of the sales that it is of. */
export const accuracySelection = {
  asOf: day,
  from: { ...day, description: 'First day of the figures. Where `days` have over 2,000,000 scores, a later one.' },
  days: Type.Union([Type.Integer(), Type.Literal('all')]),
  game: nullable(Type.String()),
  company: nullable(Type.String()),
  band: nullable(Type.String()),
  price: nullable(Type.String()),
  modelVersion: Type.String(),
  recomputedThrough: nullable(
    Type.String({
      format: 'date',
      description: 'Scores through this day were computed again by `modelVersion` after an upgrade; else null.',
    }),
  ),
  simulated: Type.Boolean({ description: 'The sales are made up: no figure is of a real market.' }),
  leastSales: Type.Integer({ description: 'No figure is published of fewer scored sales.' }),
  voidedSales: Type.Integer({ description: 'Scored sales voided or corrected later; no figure counts them.' }),
  n: Type.Integer({ description: 'Scored sales.' }),
};
const response = Type.Object({
  ...accuracySelection,
  rows: Type.Array(accuracyRow, { description: `No groups where \`n\` is below ${LEAST_SALES}.` }),
});

/** The figures of a selection: of all its sales, and by every grouping. */
export type AccuracyFigures = Omit<Static<typeof response>, 'rows'> & {
  all: AccuracyRow;
  groups: Record<(typeof GROUPINGS)[number], AccuracyRow[]>;
};

/** What the API and the page show of a selection. */
export async function accuracyFigures(
  { db, config }: Core,
  sent: Omit<AccuracyQuery, 'groupBy'>,
): Promise<AccuracyFigures> {
  const { game = null, company = null, days = DEFAULT_DAYS, band = null, price = null } = sent;
  const accuracy = await accuracyOf(db, {
    days,
    game,
    company,
    band: band === null ? null : BAND_NAMES.indexOf(band),
    bucket: price === null ? null : PRICE_NAMES.indexOf(price),
  });
  const { from, to, modelVersion, recomputedThrough, voided, all } = accuracy;
  const groups = Object.fromEntries(GROUPINGS.map((name) => [name, accuracy[name].map(rowOf)]));
  return {
    ...{ asOf: to, from, days, game, company, band, price, modelVersion, recomputedThrough },
    simulated: config.isDemo,
    leastSales: LEAST_SALES,
    voidedSales: voided,
    n: all.sales,
    all: rowOf(all),
    groups: groups as AccuracyFigures['groups'],
  };
}

const UNKNOWN: Errors = { mdape: null, bias: null, within10: null, within20: null };

function rowOf({ name, sales, figures }: AccuracyGroup): AccuracyRow {
  const errorsOf = (method: Method): Errors => {
    const found = figures?.methods.find((one) => one.method === method);
    if (found === undefined) return UNKNOWN;
    const { mdApePct: mdape, biasPct: bias, within10Pct: within10, within20Pct: within20 } = found;
    return {
      mdape: hundredths(mdape),
      bias: hundredths(bias),
      within10: hundredths(within10),
      within20: hundredths(within20),
    };
  };
  const heldBy = (range: number) => {
    const held = figures?.coverage.find(({ rangePct }) => rangePct === range);
    return held === undefined ? null : hundredths(held.heldPct);
  };
  return {
    group: name,
    n: sales,
    ...errorsOf('model'),
    coverage50: heldBy(50),
    coverage80: heldBy(80),
    coverage95: heldBy(95),
    baselines: figures && {
      last: errorsOf('lastSale'),
      mean3: errorsOf('meanOf3'),
      median5: errorsOf('medianOf5'),
      median30d: errorsOf('median30Days'),
      ewma: errorsOf('ewma'),
    },
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

async function accuracyBody(context: Core, { groupBy, ...sent }: AccuracyQuery): Promise<Static<typeof response>> {
  const { all, groups, ...body } = await accuracyFigures(context, sent);
  return { ...body, rows: groupBy === undefined ? [all] : groups[groupBy] };
}

const FIGURES = ['mdape', 'bias', 'within10', 'within20'] as const;
const RULES = ['last', 'mean3', 'median5', 'median30d', 'ewma'] as const;
const COLUMNS = ['group', 'n', ...FIGURES, 'coverage50', 'coverage80', 'coverage95'];
const RULE_COLUMNS = RULES.flatMap((name) => FIGURES.map((figure) => `${name}_${figure}`));

function csvRow({ baselines, ...row }: AccuracyRow): TableRow {
  const ofRules = RULES.flatMap((name) => FIGURES.map((figure) => [`${name}_${figure}`, baselines?.[name][figure]]));
  return { ...row, ...Object.fromEntries(ofRules) };
}

const accuracy = endpoint({
  id: 'accuracy',
  summary: 'How far reference prices were off from the sales that came after them, with simple rules next to them',
  query: accuracyQuery,
  response,
  maxAgeSeconds: MAX_AGE_SECONDS,
  async handle(context, { query }) {
    return { body: await accuracyBody(context, query), pageUrl: `${context.config.baseUrl}/accuracy` };
  },
});

const accuracyCsv = endpoint({
  id: 'accuracyCsv',
  summary: 'How far reference prices were off, as CSV',
  query: accuracyQuery,
  response: Type.String({
    description: `Columns ${[...COLUMNS, ...RULE_COLUMNS].join(', ')}; figures are empty for fewer than ${LEAST_SALES} sales.`,
  }),
  policy: 'downloads',
  download: 'text/csv',
  maxAgeSeconds: MAX_AGE_SECONDS,
  async handle(context, { query }) {
    const { rows } = await accuracyBody(context, query);
    return { body: csvOf([...COLUMNS, ...RULE_COLUMNS], rows.map(csvRow)) };
  },
});

export const ACCURACY_ROUTES: Mounting[] = [
  { path: '/v1/accuracy', endpoint: accuracy },
  { path: '/v1/accuracy.csv', endpoint: accuracyCsv },
];
