import type { Dataset, WithContext } from 'schema-dts';
import { GAME_LABELS, GAMES, isGame } from '../../catalog/games.ts';
import { type AccuracyFigures, type AccuracyRow, accuracyFigures } from '../../pricing/accuracy/accuracy-routes.ts';
import { Chips } from '../chips.tsx';
import { briefDay, count, percentMove, percentOf } from '../format.ts';
import type { JsonLdBlock } from '../json-ld.ts';
import { Section, Wide } from '../layout.tsx';
import type { Page } from '../page.ts';
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
        <p class="lead">{resultOf(body)}</p>
      </div>
      <div class="prose">
        {simulated && (
          <p>
            <strong>These sales are simulated.</strong> The figures show how the method does on them, not on a real
            market.
          </p>
        )}
        <p>
          At each close we score every sale of a card and grade that sold on an earlier day by the price that stood
          before that sale became known, and five simple rules by the same earlier sales. Nothing is left out because it
          is bad; <a href="/methodology/model#6-how-good-it-is">the methodology</a> has the rules.
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
            <Wide label="Errors of the price and of simple rules">
              <Table columns={METHOD_COLUMNS} rows={methodsOf(all)} />
            </Wide>
          </Section>
          <Section id="ranges" title="Do the ranges hold?">
            <Wide label="Coverage of the ranges">
              <Table columns={RANGE_COLUMNS} rows={coverageOf(all).map((one) => ({ ...one, sales: all.n }))} />
            </Wide>
          </Section>
          {GROUPINGS.map(([grouping, title]) => (
            <Section key={grouping} id={grouping} title={title}>
              <Wide label={title}>
                <Table columns={GROUP_COLUMNS} rows={body.groups[grouping]} />
              </Wide>
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
        The median error is the median of |price / sale − 1|. Bias is the mean log error: above zero, our prices were
        too high. Groups of fewer than {leastSales} sales have a count and no figure.
      </p>
      {voidedSales > 0 && (
        <p>
          {count(voidedSales)} scored {voidedSales === 1 ? 'sale was' : 'sales were'} voided or corrected later; no
          figure counts {voidedSales === 1 ? 'it' : 'them'}.
        </p>
      )}
      {recomputedThrough !== null && (
        <p>
          Scores through {briefDay(recomputedThrough)} were computed again by version {modelVersion} of the model, from
          what was known on each day. They are not those of the prices published then.
        </p>
      )}
    </div>
  );
}

const METHOD_COLUMNS: readonly TableColumn<MethodRow>[] = [
  { head: 'Forecast by', isName: true, cell: ({ method }) => method },
  { head: 'Median error', classes: 'num', cell: ({ mdape }) => percentOf(mdape) },
  { head: 'Bias', classes: 'num', cell: ({ bias }) => percentMove(bias) },
  { head: 'Within 10%', classes: 'num', cell: ({ within10 }) => percentOf(within10) },
  { head: 'Within 20%', classes: 'num', cell: ({ within20 }) => percentOf(within20) },
];

const RANGE_COLUMNS: readonly TableColumn<{ rangePct: number; held: number; sales: number }>[] = [
  { head: 'Range', isName: true, cell: ({ rangePct }) => `${rangePct}%` },
  { head: 'Sales inside', classes: 'num', cell: ({ held }) => percentOf(held) },
  { head: 'Scored sales', classes: 'num', cell: ({ sales }) => count(sales) },
];

const orDash = (figure: number | null, text: (figure: number) => string) => (figure === null ? '–' : text(figure));

const GROUP_COLUMNS: readonly TableColumn<AccuracyRow>[] = [
  { head: 'Group', isName: true, cell: ({ group }) => groupName(group) },
  { head: 'Sales', classes: 'num', cell: ({ n }) => count(n) },
  {
    head: 'Median error',
    classes: 'num',
    cell: ({ mdape }) => (mdape === null ? <span class="muted">Too few</span> : percentOf(mdape)),
  },
  {
    head: 'Best simple rule',
    classes: 'num',
    cell: (row) => {
      const best = bestRule(row);
      return best === null ? '–' : `${percentOf(best.mdape)}, ${best.method.toLowerCase()}`;
    },
  },
  { head: 'Bias', classes: 'num', cell: ({ bias }) => orDash(bias, percentMove) },
  { head: 'Within 10%', classes: 'num', cell: ({ within10 }) => orDash(within10, percentOf) },
  { head: 'Within 20%', classes: 'num', cell: ({ within20 }) => orDash(within20, percentOf) },
  { head: 'In 80% range', classes: 'num', cell: ({ coverage80 }) => orDash(coverage80, percentOf) },
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
