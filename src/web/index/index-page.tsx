import { GAME_LABELS, type Game, INDEXED_GAMES, isGame } from '../../catalog/games.ts';
import { detailOf, type IndexDetail } from '../../indices/detail.ts';
import { type RotationHistory, rotationHistory } from '../../indices/history.ts';
import { indexBySlug } from '../../indices/rows.ts';
import { indexPoints } from '../../indices/series.ts';
import { counted } from '../../lib/counted.ts';
import { type ChartWindow, chartWindowOf, daysOf, USUAL_WINDOW } from '../chart/chart-window.ts';
import { Chips } from '../chips.tsx';
import type { WebContext } from '../context.ts';
import { briefDay, count, dayOfMonth, level, percentOf } from '../format.ts';
import { type PageContent, Section } from '../layout.tsx';
import { AddressCode } from '../line-breaks.tsx';
import { canonicalSegment, type Page } from '../page.ts';
import { MoveFact } from '../price.tsx';
import { type Site, siteOf } from '../site/site.ts';
import { type ComparedIndex, IndexChart, type IndexPoint } from './index-chart.tsx';
import { blocksOf, descriptionOf } from './index-data.ts';
import { indexFilesOf } from './index-files.tsx';
import { indexOnDayPage } from './index-on-day.tsx';
import { Constituents, Contributors, Downloads, Rotations } from './index-parts.tsx';
import { SilentBasket } from './silent-basket.tsx';

/** `/indices/{game}`, or of a sub-index; `?window=` and `?vs=`, another index, are the chart's, `?on=` is a past day. */
export const indexPage: Page = {
  path: '/indices/:game',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const slug = canonicalSegment(params.game!);
    if (slug !== params.game) return { movedTo: `/indices/${slug}` };
    const site = siteOf(context);
    if (isGame(slug) && !INDEXED_GAMES.includes(slug)) return { status: 404, ...withoutIndex(slug) };
    const on = query.get('on');
    if (on !== null) return await indexOnDayPage(context, slug, on);
    const window = chartWindowOf(query) ?? USUAL_WINDOW;
    const { db } = context;
    const index = await indexBySlug(db, slug);
    const [detail, points, history, compared] = await Promise.all([
      detailOf(db, index),
      indexPoints(db, index, daysOf(window)),
      rotationHistory(db, index),
      comparedIndex(context, slug, query.get('vs'), window),
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
      scripts: isLive ? ['site', 'chart'] : [],
      alternates: [
        { type: 'text/markdown', href: `${path}.md` },
        {
          type: 'application/atom+xml',
          href: `${path}/feed.xml`,
          title: `Sales and moves of the ${detail.label} index`,
        },
      ],
      shareImage: `${path}.png`,
      main: isLive ? (
        <Live site={site} detail={detail} points={points} history={history} window={window} compared={compared} />
      ) : (
        <Computing detail={detail} />
      ),
    };
  },
};

type LiveOf = {
  site: Site;
  detail: IndexDetail;
  points: readonly IndexPoint[];
  history: RotationHistory;
  window: ChartWindow;
  compared: ComparedIndex | null;
};

function Live({ site, detail, points, history, window, compared }: LiveOf) {
  const { label, slug, constituents, subIndices } = detail;
  const rotatedOn = history.find(({ rotationSkipped }) => !rotationSkipped)?.date ?? detail.baseDate!;
  return (
    <div class="wrap">
      <div class="page-head">
        <h1>{label} index</h1>
        <Level detail={detail} />
      </div>
      <IndexChart
        href={`/indices/${slug}`}
        label={label}
        window={window}
        points={points}
        compared={compared}
        files={indexFilesOf(site, slug, label, window)}
      />
      <Compare slug={slug} window={window} compared={compared} />
      {constituents.length > 0 && (
        <Section id="contributors" title={`What moved it since ${dayOfMonth(Date.parse(rotatedOn))}`}>
          <Contributors constituents={constituents} />
        </Section>
      )}
      <Section id="constituents" title={`${counted(constituents.length, 'card')} in the basket`}>
        {constituents.length === 0 ? (
          <p class="empty">
            No card is in the basket now. The level stays as it was until the next rotation chooses a new one.
          </p>
        ) : (
          <>
            <p class="muted prose">
              Rebalanced on the 1st of each month: the cards with the highest 90-day sales value, one grade per card,
              equally weighted: {weightsOf(constituents)}.
            </p>
            <Constituents constituents={constituents} since={dayOfMonth(Date.parse(rotatedOn))} />
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
        <div class="cite">
          <h3>Cite it</h3>
          <p class="prose">
            <code id="citation">
              <AddressCode>{citationOf(site, detail)}</AddressCode>
            </code>
          </p>
          <button type="button" class="button-quiet no-print" data-copy="citation" hidden>
            Copy citation
          </button>
        </div>
      </Section>
    </div>
  );
}

/** The index of `?vs=`; null where there is none of that name, or it has no level in the window. */
async function comparedIndex(
  { db }: WebContext,
  slug: string,
  vs: string | null,
  window: ChartWindow,
): Promise<ComparedIndex | null> {
  const game = INDEXED_GAMES.find((one) => one === vs && one !== slug);
  if (game === undefined) return null;
  const index = await indexBySlug(db, game);
  const points = await indexPoints(db, index, daysOf(window));
  return points.length === 0 ? null : { slug: game, label: index.label, points };
}

/** Links to the chart with another index in it. */
function Compare({ slug, window, compared }: { slug: string; window: ChartWindow; compared: ComparedIndex | null }) {
  const windowQuery = window === USUAL_WINDOW ? '' : `window=${window}`;
  const addressOf = (vs: string) => {
    const query = [windowQuery, vs].filter(Boolean).join('&');
    return `/indices/${slug}${query && `?${query}`}`;
  };
  const others = INDEXED_GAMES.filter((game) => game !== slug);
  return (
    <nav class="chart-compare no-print" aria-label="Compare">
      <span class="muted">Compare with</span>
      <Chips
        links={others.map((game) => {
          const isShown = compared?.slug === game;
          return { href: addressOf(isShown ? '' : `vs=${game}`), name: GAME_LABELS[game], isCurrent: isShown };
        })}
      />
    </nav>
  );
}

/** `3.23% each`. */
function weightsOf(constituents: IndexDetail['constituents']): string {
  const weights = constituents.map(({ weight }) => weight * 100);
  const [least, most] = [percentOf(Math.min(...weights), 2), percentOf(Math.max(...weights), 2)];
  return least === most ? `${least} each` : `${least} to ${most} each`;
}

/** `Pokémon index: 17,515.93, close of 24 Nov 2026. Mintmark, https://…`. */
function citationOf({ name, baseUrl }: Site, { label, slug, value, sparkline }: IndexDetail): string {
  const closed = sparkline.at(-1)!.t.slice(0, 10);
  return `${label} index: ${level(value!)}, close of ${briefDay(closed)}. ${name}, ${baseUrl}/indices/${slug}?on=${closed}`;
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
          at the close of <time dateTime={sparkline.at(-1)!.t}>{briefDay(sparkline.at(-1)!.t)}</time> (UTC)
        </span>
      </p>
      <SilentBasket constituents={detail.constituents} closeIso={sparkline.at(-1)!.t} />
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
          <dd>{briefDay(baseDate!)}</dd>
        </div>
      </dl>
    </>
  );
}

function Computing({ detail }: { detail: IndexDetail }) {
  return (
    <div class="wrap page-head">
      <h1>{detail.label} index</h1>
      <p class="lead">This index has no level yet.</p>
      <p class="prose">
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
