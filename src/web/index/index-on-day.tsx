import { detailOf, type IndexDetail } from '../../indices/detail.ts';
import { rotationHistory } from '../../indices/history.ts';
import { indexBySlugAsOf } from '../../indices/indices-as-of.ts';
import { asOfDay } from '../../items/parameters/as-of.ts';
import { formatDay } from '../../lib/day.ts';
import type { WebContext } from '../context.ts';
import { briefDay, count, dayText, level } from '../format.ts';
import { Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { MoveFact } from '../price.tsx';
import { Constituents, Rotations } from './index-parts.tsx';

/** `?on=YYYY-MM-DD`: the page of an index as it was published at the close of that day. */
export async function indexOnDayPage(context: WebContext, slug: string, on: string): Promise<PageAnswer> {
  const { db } = context;
  const asOf = (await asOfDay(db, on, 'on'))!;
  const { index } = await indexBySlugAsOf(db, slug, asOf);
  const [detail, history] = await Promise.all([detailOf(db, index), rotationHistory(db, index)]);
  const { label, value, constituents } = detail;
  const closeDay = dayText(asOf);
  const path = `/indices/${slug}`;
  return {
    title: `${label} index, close of ${closeDay}`,
    description: `What was published of the ${label} index at the close of ${closeDay} (UTC).`,
    path: `${path}?on=${formatDay(asOf)}`,
    alternates: [{ type: 'text/markdown', href: `${path}.md?on=${formatDay(asOf)}` }],
    section: 'indices',
    hasBreadcrumbs: true,
    trail: [
      { name: 'Indices', href: '/indices' },
      { name: label, href: path },
    ],
    // One for every day there is: each has its address, none has to be found.
    isHidden: true,
    main: (
      <div class="wrap">
        <div class="page-head">
          <h1>{label} index</h1>
          <p class="notice">
            Close of <span class="number">{closeDay}</span> (UTC), as published then. <a href={path}>The index today</a>
          </p>
          {value === null ? <p class="lead">It had no level yet.</p> : <Level detail={detail} value={value} />}
        </div>
        {constituents.length > 0 && (
          <Section id="constituents" title={`${count(constituents.length)} cards in the basket`}>
            <Constituents
              constituents={constituents}
              since={briefDay(history.find(({ rotationSkipped }) => !rotationSkipped)!.date)}
            />
          </Section>
        )}
        {history.length > 0 && (
          <Section id="rotations" title="How the basket changed">
            <Rotations history={history} />
          </Section>
        )}
        <p>
          <a href={`/v1/indices/${slug}?asOf=${formatDay(asOf)}`}>The same as JSON</a>
        </p>
      </div>
    ),
  };
}

function Level({ detail: { deltas, tradeCountWindow, windowDays }, value }: { detail: IndexDetail; value: number }) {
  return (
    <>
      <p class="index-now">
        <span class="index-level">{level(value)}</span>
      </p>
      <dl class="figures">
        <MoveFact percent={deltas.d7} over="7 days" />
        <MoveFact percent={deltas.d30} over="30 days" />
        <MoveFact percent={deltas.d365} over="1 year" />
        <div>
          <dt>Sales in {windowDays} days</dt>
          <dd>{count(tradeCountWindow)}</dd>
        </div>
      </dl>
    </>
  );
}
