import type { Dataset, WithContext } from 'schema-dts';
import { GAME_LABELS, type Game, INDEXED_GAMES, isGame } from '../../catalog/games.ts';
import { detailOf } from '../../indices/detail.ts';
import { type RotationHistory, rotationHistory } from '../../indices/history.ts';
import { indexBySlug } from '../../indices/rows.ts';
import { indexPoints } from '../../indices/series.ts';
import { lineOf } from '../card/card-facts.ts';
import { type ChartWindow, chartWindowOf, daysOf } from '../chart/chart-window.ts';
import { Chips } from '../chips.tsx';
import { count, day, level, percentMove } from '../format.ts';
import { itemListBlock, type JsonLdBlock } from '../json-ld.ts';
import { type PageContent, Section } from '../layout.tsx';
import { canonicalSegment, type Page } from '../page.ts';
import { MoveFact } from '../price.tsx';
import { type Site, siteOf } from '../site/site.ts';
import { INDEX_WINDOWS, IndexChart, type IndexPoint } from './index-chart.tsx';
import { Constituents, DOWNLOADS, Downloads, type IndexDetail, Rotations } from './index-parts.tsx';

/** `/indices/{game}`, or of a sub-index; `?window=` is the chart's. */
export const indexPage: Page = {
  path: '/indices/:game',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const slug = canonicalSegment(params.game!);
    if (slug !== params.game) return { movedTo: `/indices/${slug}` };
    const site = siteOf(context);
    if (isGame(slug) && !INDEXED_GAMES.includes(slug)) return { status: 404, ...withoutIndex(slug) };
    const window = chartWindowOf(query, INDEX_WINDOWS);
    const { db } = context;
    const index = await indexBySlug(db, slug);
    const [detail, points, history] = await Promise.all([
      detailOf(db, index),
      indexPoints(db, index, daysOf(window)),
      rotationHistory(db, slug),
    ]);
    const path = `/indices/${slug}`;
    const crumbs = [
      { name: 'Indices', href: '/indices' },
      { name: detail.label, href: path },
    ];
    const isLive = detail.value !== null;
    return {
      title: `${detail.label} index`,
      description: descriptionOf(detail),
      path,
      section: 'indices',
      trail: crumbs,
      // A computing index has no data to describe.
      hasBreadcrumbs: isLive,
      blocks: isLive ? blocksOf(site, detail) : [],
      scripts: isLive ? ['chart'] : [],
      alternates: [{ type: 'text/markdown', href: `${path}.md` }],
      main: isLive ? (
        <Live detail={detail} points={points} history={history} window={window} />
      ) : (
        <Computing detail={detail} />
      ),
    };
  },
};

/** In a sentence or two, with its date. */
export function descriptionOf(detail: IndexDetail): string {
  const { label, value, deltas, constituentCount, sparkline } = detail;
  const what = `Market index of ${label} trading cards, computed daily from recorded sales`;
  if (value === null) return `${what}. It has no level yet.`;
  const moved = deltas.d30 === null ? '' : `, ${percentMove(deltas.d30)} in 30 days`;
  return `${what}: ${level(value)} at the close of ${day(sparkline.at(-1)!.t)}${moved}, ${count(constituentCount)} cards.`;
}

type LiveOf = {
  detail: IndexDetail;
  points: readonly IndexPoint[];
  history: RotationHistory;
  window: ChartWindow;
};

function Live({ detail, points, history, window }: LiveOf) {
  const { label, slug, constituents, subIndices } = detail;
  return (
    <div class="wrap">
      <div class="page-head">
        <h1>{label} index</h1>
        <Level detail={detail} />
      </div>
      <IndexChart href={`/indices/${slug}`} label={label} window={window} points={points} />
      <Section id="constituents" title={`${count(constituents.length)} cards in the basket`}>
        {constituents.length === 0 ? (
          <p class="empty">
            No card is in the basket now. The level stays as it was until the next rotation chooses a new one.
          </p>
        ) : (
          <>
            <p class="muted prose">
              Rebalanced on the 1st of each month: the cards with the highest 90-day sales value, one grade per card,
              equally weighted.
            </p>
            <Constituents constituents={constituents} />
          </>
        )}
      </Section>
      <Section id="rotations" title="How the basket changed">
        <Rotations history={history} />
      </Section>
      {subIndices.length > 0 && (
        <Section id="narrower" title="Narrower indices">
          <Chips links={subIndices.map((one) => ({ href: `/indices/${one.slug}`, name: one.label }))} />
        </Section>
      )}
      <Section id="data" title="Reproduce this index">
        <p class="prose">
          Download all inputs; <a href="/methodology/index">the rulebook</a> explains the calculation. This index
          follows version {detail.methodologyVersion} of it.
        </p>
        <Downloads slug={slug} />
      </Section>
    </div>
  );
}

/** The level, its moves, its sales and its beginning. */
function Level({ detail }: { detail: IndexDetail }) {
  const { value, deltas, sparkline, tradeCountWindow, windowDays, baseDate, base } = detail;
  const moves = [
    ['7 days', deltas.d7],
    ['30 days', deltas.d30],
    ['1 year', deltas.d365],
  ] as const;
  return (
    <>
      <p class="index-now">
        <span class="index-level">{level(value!)}</span>{' '}
        <span class="muted">
          at the close of <time dateTime={sparkline.at(-1)!.t}>{day(sparkline.at(-1)!.t)}</time> (UTC)
        </span>
      </p>
      <dl class="figures">
        {moves.map(([over, percent]) => (
          <MoveFact key={over} percent={percent} over={over} />
        ))}
        <div>
          <dt>Sales in {windowDays} days</dt>
          <dd>{count(tradeCountWindow)}</dd>
        </div>
        <div>
          <dt>Began at {count(base)}</dt>
          <dd>{day(baseDate!)}</dd>
        </div>
      </dl>
    </>
  );
}

function Computing({ detail }: { detail: IndexDetail }) {
  return (
    <div class="wrap prose page-head">
      <h1>{detail.label} index</h1>
      <p class="lead">This index has no level yet.</p>
      <p>
        It begins, at {count(detail.base)}, on the first of a month on which at least 20 cards have sold often and
        recently enough to represent the market; <a href="/methodology/index">the rulebook</a> has the thresholds. Until
        then we publish no level.
      </p>
      <p>
        <a class="button button-quiet" href="/indices">
          All indices
        </a>{' '}
        {isGame(detail.slug) && (
          <a class="button button-quiet" href={`/card/${detail.slug}`}>
            {detail.label} sets
          </a>
        )}
      </p>
    </div>
  );
}

/** Structured data: the basket, if any, and the data with their downloads. */
function blocksOf({ baseUrl, name }: Site, detail: IndexDetail): JsonLdBlock[] {
  const { label, slug, constituents, sparkline, baseDate, updatedAt } = detail;
  const url = `${baseUrl}/indices/${slug}`;
  const dataset: WithContext<Dataset> = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${url}#dataset`,
    name: `${label} index by ${name}`,
    description: `${descriptionOf(detail)} Daily levels, divisors, turnover and baskets since ${day(baseDate!)}, with what is needed to compute each level again.`,
    url,
    creator: { '@id': `${baseUrl}/#organization` },
    isAccessibleForFree: true,
    temporalCoverage: `${baseDate}/${sparkline.at(-1)!.t.slice(0, 10)}`,
    dateModified: updatedAt!,
    variableMeasured: ['Index level', 'Turnover in US dollars', 'Number of sales'],
    measurementTechnique: `${baseUrl}/methodology/index`,
    distribution: DOWNLOADS.flatMap(([table]) =>
      (['csv', 'json'] as const).map((form) => ({
        '@type': 'DataDownload' as const,
        name: `${table}.${form}`,
        encodingFormat: form === 'csv' ? 'text/csv' : 'application/json',
        contentUrl: `${baseUrl}/v1/indices/${slug}/${table}.${form}`,
      })),
    ),
  };
  if (constituents.length === 0) return [dataset];
  const cards = constituents.map((card) => ({ name: `${lineOf(card)}, ${card.grade}`, href: card.href }));
  return [itemListBlock(baseUrl, `${label} index: cards in the basket`, cards), dataset];
}

function withoutIndex(game: Game): PageContent {
  const label = GAME_LABELS[game];
  return {
    title: `No ${label} index`,
    description: `${label} has no market index.`,
    path: null,
    isHidden: true,
    section: 'indices',
    main: (
      <div class="wrap prose page-head">
        <p class="problem-status">404</p>
        <h1>{label} has no index</h1>
        <p>Its cards are in the catalog and priced where they sell. There are indices of:</p>
        <Chips links={INDEXED_GAMES.map((one) => ({ href: `/indices/${one}`, name: GAME_LABELS[one] }))} />
        <p>
          <a href={`/card/${game}`}>{label} sets</a>
        </p>
      </div>
    ),
  };
}
