import { detailOf } from '../../indices/detail.ts';
import { indexBySlugAsOf } from '../../indices/indices-as-of.ts';
import { asOfDay } from '../../items/parameters/as-of.ts';
import { formatDay } from '../../lib/day.ts';
import { factsOf, gradeName } from '../card/card-facts.ts';
import { level, percentMove, percentOf } from '../format.ts';
import { dayOrDash, escaped, movesOf, priceOrNone } from '../markdown-text.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { descriptionOf } from './index-data.ts';
import { DOWNLOADS } from './index-parts.tsx';

/** `/indices/{game}.md`: an index as Markdown; with `?on=`, as of a past day. */
export const indexMarkdown: Page = {
  path: '/indices/:game.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const slug = canonicalSegment(params.game!);
    if (slug !== params.game) return { movedTo: `/indices/${slug}.md` };
    const { db, config } = context;
    const asOf = await asOfDay(db, query.get('on') ?? undefined, 'on');
    const { index } = await indexBySlugAsOf(db, slug, asOf);
    const detail = await detailOf(db, index);
    const { label, value, deltas, constituents, methodologyVersion } = detail;
    const pageUrl = `${config.baseUrl}/indices/${slug}${asOf === null ? '' : `?on=${formatDay(asOf)}`}`;
    const rows = constituents.map((card) => {
      const { rank, name, grade, href, priceUsdCents, deltaPct, lastSaleAt, weight } = card;
      const move = deltaPct === null ? '–' : percentMove(deltaPct);
      const share = percentOf(weight * 100, 2);
      return `| ${rank} | [${escaped(name)}](${href}.md) | ${escaped(factsOf(card))} | ${gradeName(grade)} | ${priceOrNone(priceUsdCents)} | ${move} | ${dayOrDash(lastSaleAt)} | ${share} |`;
    });
    const basket = [
      '## Basket',
      '',
      '| Rank | Card | Which | Grade | Price | 7 days | Last sold | Weight |',
      '|--:|---|---|---|--:|--:|---|--:|',
      ...rows,
      '',
    ];
    const body = [
      `# ${escaped(label)} index`,
      '',
      escaped(descriptionOf(detail)),
      '',
      ...(value === null ? [] : [`- Level: **${level(value)}**`, `- Moves: ${movesOf(deltas)}`, '']),
      ...(rows.length === 0 ? [] : basket),
      `Version ${methodologyVersion} of [the rulebook](${config.baseUrl}/methodology/index.md). Data: ${DOWNLOADS.map(
        ([table]) => `[${table}](${config.baseUrl}/v1/indices/${slug}/${table}.csv)`,
      ).join(', ')}.`,
      '',
      `[Page](${pageUrl})`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
