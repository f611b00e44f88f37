import { type Static, type TSchema, Type } from 'typebox';
import { GAMES } from '../../catalog/games.ts';
import type { Core } from '../../http/context.ts';
import { endpoint, type Mounting } from '../../http/endpoint.ts';
import { upTo } from '../../http/parameters.ts';
import { csvOf, type TableRow } from '../../lib/csv.ts';
import { METHODS, RANGES } from '../backtest-forecasts.ts';
import { type Accuracy, type AccuracyGroup, accuracyOf, BAND_NAMES, LEAST_SALES, PRICE_NAMES } from './accuracy.ts';
import { SCORED_COMPANIES } from './read-scores.ts';

/** `GET /v1/accuracy` and `/v1/accuracy.csv`: how far prices were off from the sales that came after them. */

const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
const MAX_AGE_SECONDS = 60;

const query = Type.Object({
  game: Type.Optional(Type.Enum([...GAMES], { description: `One of ${GAMES.join(', ')}.` })),
  company: Type.Optional(Type.Enum([...SCORED_COMPANIES], { description: 'Grading company; `RAW`: ungraded.' })),
  days: Type.Optional(upTo(MOST_DAYS, DEFAULT_DAYS, 'Days up to the last close')),
  band: Type.Optional(Type.Enum([...BAND_NAMES], { description: 'Sales of the series on earlier days.' })),
  price: Type.Optional(Type.Enum([...PRICE_NAMES], { description: 'Price forecast, in dollars.' })),
});
export type AccuracyQuery = Static<typeof query>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const share = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });
const day = nullable(Type.String({ format: 'date', description: 'UTC day; null before the first close.' }));

const methodFigures = Type.Object({
  method: Type.Enum([...METHODS], { description: '`model`: the reference price; the others are simple rules.' }),
  mdApePct: Type.Number({ minimum: 0, description: 'Median of |forecast / price − 1|, in percent.' }),
  biasPct: Type.Number({ description: 'Mean of ln(forecast / price), times 100: above 0, forecasts are too high.' }),
  within10Pct: share('Share of the sales within 10% of the forecast price, in percent.'),
  within20Pct: share('The same within 20%.'),
});

const group = Type.Object(
  {
    name: Type.String(),
    sales: Type.Integer({ description: 'Scored sales.' }),
    methods: nullable(
      Type.Array(methodFigures, { description: `Null for fewer than ${LEAST_SALES} sales.`, minItems: METHODS.length }),
    ),
    coverage: nullable(
      Type.Array(
        Type.Object({
          rangePct: Type.Integer({ description: '50, 80 or 95.' }),
          heldPct: share('Share of the sales inside, in percent.'),
        }),
        { description: `The ranges of the model. Null for fewer than ${LEAST_SALES} sales.` },
      ),
    ),
  },
  { title: 'AccuracyGroup' },
);
const groups = (description: string) => Type.Array(group, { description });

const response = Type.Object({
  from: day,
  to: day,
  days: Type.Integer(),
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
  all: group,
  density: groups('By sales of the series on earlier days; empty where `all` has no figures.'),
  priceBucket: groups('By the price forecast.'),
  age: groups('By days since the sale before it.'),
  gradingCompany: groups('By grading company.'),
});
export type AccuracyBody = Static<typeof response>;
export type GroupBody = Static<typeof group>;

/** The body of a query; the page shows it too. */
export async function accuracyBody({ db, config }: Core, sent: AccuracyQuery): Promise<AccuracyBody> {
  const { game = null, company = null, days = DEFAULT_DAYS, band = null, price = null } = sent;
  const accuracy = await accuracyOf(db, {
    days,
    game,
    company,
    band: band === null ? null : BAND_NAMES.indexOf(band),
    bucket: price === null ? null : PRICE_NAMES.indexOf(price),
  });
  const { from, to, modelVersion, recomputedThrough, voided } = accuracy;
  return {
    ...{ from, to, days, game, company, band, price, modelVersion, recomputedThrough },
    simulated: config.isDemo,
    leastSales: LEAST_SALES,
    voidedSales: voided,
    ...groupsOf(accuracy),
  };
}

const GROUPINGS = ['all', 'density', 'priceBucket', 'age', 'gradingCompany'] as const;

function groupsOf({ all, density, price, age, company }: Accuracy) {
  return {
    all: groupBody(all),
    density: density.map(groupBody),
    priceBucket: price.map(groupBody),
    age: age.map(groupBody),
    gradingCompany: company.map(groupBody),
  };
}

function groupBody({ name, sales, figures }: AccuracyGroup): GroupBody {
  if (figures === null) return { name, sales, methods: null, coverage: null };
  const methods = figures.methods.map(({ method, mdApePct, biasPct, within10Pct, within20Pct }) => ({
    method,
    mdApePct: hundredths(mdApePct),
    biasPct: hundredths(biasPct),
    within10Pct: hundredths(within10Pct),
    within20Pct: hundredths(within20Pct),
  }));
  const coverage = figures.coverage.map(({ rangePct, heldPct }) => ({ rangePct, heldPct: hundredths(heldPct) }));
  return { name, sales, methods, coverage: coverage as GroupBody['coverage'] };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

const COLUMNS = ['grouping', 'group', 'sales', 'method', 'mdApePct', 'biasPct', 'within10Pct', 'within20Pct'];
const HELD = RANGES.map((range) => `held${range}Pct`);

/** A row for each group and method; without figures, one row for the group. */
function accuracyRows(body: AccuracyBody): TableRow[] {
  return GROUPINGS.flatMap((grouping) =>
    [body[grouping]].flat().flatMap(({ name, sales, methods, coverage }): TableRow[] => {
      const held = Object.fromEntries((coverage ?? []).map(({ rangePct, heldPct }) => [`held${rangePct}Pct`, heldPct]));
      const of = { grouping, group: name, sales };
      if (methods === null) return [of];
      return methods.map((one) => ({ ...of, ...one, ...(one.method === 'model' ? held : {}) }));
    }),
  );
}

const accuracy = endpoint({
  id: 'accuracy',
  summary: 'How far reference prices were off from the sales that came after them, with simple rules next to them',
  query,
  response,
  maxAgeSeconds: MAX_AGE_SECONDS,
  async handle(context, { query }) {
    return { body: await accuracyBody(context, query), pageUrl: `${context.config.baseUrl}/accuracy` };
  },
});

const accuracyCsv = endpoint({
  id: 'accuracyCsv',
  summary: 'How far reference prices were off, as CSV',
  query,
  response: Type.String({
    description: `Columns ${[...COLUMNS, ...HELD].join(', ')}; figures are empty for fewer than ${LEAST_SALES} sales.`,
  }),
  policy: 'downloads',
  download: 'text/csv',
  maxAgeSeconds: MAX_AGE_SECONDS,
  async handle(context, { query }) {
    return { body: csvOf([...COLUMNS, ...HELD], accuracyRows(await accuracyBody(context, query))) };
  },
});

export const ACCURACY_ROUTES: Mounting[] = [
  { path: '/v1/accuracy', endpoint: accuracy },
  { path: '/v1/accuracy.csv', endpoint: accuracyCsv },
];
