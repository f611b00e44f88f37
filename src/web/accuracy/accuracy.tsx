import type { Dataset, WithContext } from 'schema-dts';
import { GAME_LABELS, GAMES, isGame } from '../../catalog/games.ts';
import { type AccuracyFigures, type AccuracyRow, accuracyFigures } from '../../pricing/accuracy/accuracy-routes.ts';
import { Chips } from '../chips.tsx';
import { count, percentMove, percentOf } from '../format.ts';
import type { JsonLdBlock } from '../json-ld.ts';
import { Section } from '../layout.tsx';
import { WholeDays } from '../line-breaks.tsx';
import type { Page } from '../page.ts';
import { Day } from '../price.tsx';
import { type Site, siteOf } from '../site/site.ts';
import { Table, type TableColumn } from '../table.tsx';
import {
  bestRule,
  coverageOf,
  GROUPINGS,
  groupName,
  type MethodRow,
  methodsOf,
  resultOf,
  searchOf,
} from './accuracy-words.ts';

const TITLE = 'How accurate our prices are';
const PATH = '/accuracy';

/** `/accuracy`, of all games or of `?game=`. */
export const accuracyPage: Page = {
  path: PATH,
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const site = siteOf(context);
    const game = query.get('game');
    const selected = game !== null && isGame(game) ? { game } : {};
    const body = await accuracyFigures(context, selected);
    const search = searchOf(selected);
    return {
      title: game !== null && isGame(game) ? `${TITLE}: ${GAME_LABELS[game]}` : TITLE,
      description: `${body.simulated ? 'Simulated sales. ' : ''}${resultOf(body)}`,
      path: PATH + search,
      hasBreadcrumbs: true,
      trail: [{ name: 'Accuracy', href: PATH }],
      alternates: [{ type: 'text/markdown', href: `${PATH}.md${search}` }],
      blocks: body.all.mdape !== null ? [datasetOf(site, body, search)] : [],
      main: <AccuracyText body={body} search={search} />,
    };
  },
};

function AccuracyText({ body, search }: { body: AccuracyFigures; search: string }) {
  const { all, game, simulated } = body;
  return (
    <div class="wrap accuracy">
      <div class="page-head prose">
        <h1>{TITLE}</h1>
        <p class="lead">
          <WholeDays>{resultOf(body)}</WholeDays>
        </p>
      </div>
      <div class="prose">
        {simulated && (
          <p>
            <strong>These sales are simulated.</strong> The figures show how the method does on them, not on a real
            market.
          </p>
        )}
        <p>
          At each close, every sale of a card and grade that had sold before is compared with our price from before that
          sale was known, and with five simple rules on the same earlier sales. Bad results are included;{' '}
          <a href="/methodology/model#6-how-good-it-is">the methodology</a> has the rules.
        </p>
      </div>
      <Chips
        links={[
          { href: PATH, name: 'All games', isCurrent: game === null },
          ...GAMES.map((one) => ({ href: `${PATH}?game=${one}`, name: GAME_LABELS[one], isCurrent: one === game })),
        ]}
      />
      {all.mdape !== null && (
        <>
          <Section id="all" title="Compared with simple rules">
            <Table
              label="Errors of the reference price and of simple rules"
              columns={METHOD_COLUMNS}
              rows={methodsOf(all)}
            />
          </Section>
          <Section id="ranges" title="Do the ranges hold?">
            <Table
              label="Shares of sales inside our ranges"
              columns={RANGE_COLUMNS}
              rows={coverageOf(all).map((one) => ({ ...one, sales: all.n }))}
            />
          </Section>
          {GROUPINGS.map(([grouping, title]) => (
            <Section key={grouping} id={grouping} title={title}>
              <Table label={`Errors ${title.toLowerCase()}`} columns={GROUP_COLUMNS} rows={body.groups[grouping]} />
            </Section>
          ))}
        </>
      )}
      <Section id="read" title="How to read this">
        <Notes body={body} />
        <p>
          Data: <a href={`/v1/accuracy.csv${search}`}>CSV</a>, <a href={`/v1/accuracy${search}`}>JSON</a>.
        </p>
      </Section>
    </div>
  );
}

function Notes({ body: { leastSales, voidedSales, recomputedThrough, modelVersion } }: { body: AccuracyFigures }) {
  return (
    <div class="prose">
      <p>
        The error of a sale is how far our price was from it, in percent of the sale. The median error is the middle
        one: half of the errors are smaller. Bias is the mean log error: above zero, our prices were too high. Groups of
        fewer than {leastSales} sales have a count and no figure.
      </p>
      {voidedSales > 0 && (
        <p>
          {count(voidedSales)} scored {voidedSales === 1 ? 'sale was' : 'sales were'} voided or corrected later; no
          figure counts {voidedSales === 1 ? 'it' : 'them'}.
        </p>
      )}
      {recomputedThrough !== null && (
        <p>
          Scores through <Day iso={recomputedThrough} /> were computed again by version {modelVersion} of the model,
          from what was known on each day. They are not those of the prices published then.
        </p>
      )}
    </div>
  );
}

const METHOD_COLUMNS: readonly TableColumn<MethodRow>[] = [
  { head: 'Forecast by', isName: true, cell: ({ method }) => method },
  { head: 'Median error', classes: 'num', cell: ({ mdape }) => percentOf(mdape) },
  { head: 'Bias', classes: 'num', cell: ({ bias }) => percentMove(bias) },
  { head: 'Within 10%', classes: 'num wide-only', cell: ({ within10 }) => percentOf(within10) },
  { head: 'Within 20%', classes: 'num wide-only', cell: ({ within20 }) => percentOf(within20) },
];

const RANGE_COLUMNS: readonly TableColumn<{ rangePct: number; held: number; sales: number }>[] = [
  { head: 'Range', isName: true, cell: ({ rangePct }) => `${rangePct}%` },
  { head: 'Sales inside', classes: 'num', cell: ({ held }) => percentOf(held) },
  { head: 'Scored sales', classes: 'num', cell: ({ sales }) => count(sales) },
];

const orDash = (figure: number | null, text: (figure: number) => string) => (figure === null ? '–' : text(figure));

/** `20.8%, 30-day median`; null of too few sales. */
function bestWords(row: AccuracyRow): string | null {
  const best = bestRule(row);
  return best && `${percentOf(best.mdape)}, ${best.method.toLowerCase()}`;
}

const GROUP_COLUMNS: readonly TableColumn<AccuracyRow>[] = [
  {
    head: 'Group',
    isName: true,
    cell: (row) => (
      <>
        {groupName(row.group)}
        <span class="row-note phone-only">{bestWords(row) && `best rule ${bestWords(row)}`}</span>
      </>
    ),
  },
  { head: 'Sales', classes: 'num', cell: ({ n }) => count(n) },
  {
    head: 'Median error',
    classes: 'num',
    cell: ({ mdape }) => (mdape === null ? <span class="muted">Too few</span> : percentOf(mdape)),
  },
  {
    head: 'Best simple rule',
    classes: 'num wide-only',
    cell: (row) => bestWords(row) ?? '–',
  },
  { head: 'Bias', classes: 'num widest-only', cell: ({ bias }) => orDash(bias, percentMove) },
  { head: 'Within 10%', classes: 'num widest-only', cell: ({ within10 }) => orDash(within10, percentOf) },
  { head: 'Within 20%', classes: 'num widest-only', cell: ({ within20 }) => orDash(within20, percentOf) },
  { head: 'In 80% range', classes: 'num wide-only', cell: ({ coverage80 }) => orDash(coverage80, percentOf) },
];

function datasetOf({ baseUrl, name }: Site, body: AccuracyFigures, search: string): JsonLdBlock {
  const url = `${baseUrl}${PATH}${search}`;
  const dataset: WithContext<Dataset> = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${url}#dataset`,
    name: `Accuracy of reference prices by ${name}`,
    description: `${body.simulated ? 'All sales are simulated. ' : ''}${resultOf(body)} With the errors of five simple rules, by earlier sales, price, age, grading company, game and month.`,
    url,
    creator: { '@id': `${baseUrl}/#organization` },
    isAccessibleForFree: true,
    temporalCoverage: `${body.from}/${body.asOf}`,
    variableMeasured: ['Median absolute percentage error', 'Bias', 'Share within 10 and 20%', 'Coverage of ranges'],
    measurementTechnique: `${baseUrl}/methodology/model`,
    distribution: [
      ['text/csv', `/v1/accuracy.csv${search}`] as const,
      ['application/json', `/v1/accuracy${search}`] as const,
    ].map(([encodingFormat, href]) => ({
      '@type': 'DataDownload' as const,
      encodingFormat,
      contentUrl: baseUrl + href,
    })),
  };
  return dataset;
}
