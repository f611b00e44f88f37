import { readHistory } from '../../graded/history/read-history.ts';
import { certOf } from '../../graded/lookup.ts';
import { whyUnpriced } from '../../graded/reasons.ts';
import { gradeName } from '../card/card-facts.ts';
import { briefDay, usdToTheCent } from '../format.ts';
import { escaped, priceOrNone } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { slabName, slabWords } from './cert-result.tsx';
import {
  CONTRADICTION_HEADING,
  CONTRADICTION_MEANING,
  contradictionWords,
  type ShownHistory,
  whereWords,
} from './slab-life.tsx';

/** `/cert/{cert}.md`: what is stored of a slab, as Markdown. */
export const certMarkdown: Page = {
  path: '/cert/:cert.md',
  readsPrimary: true,
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params }) {
    const cert = certOf(params.cert!);
    if (params.cert !== cert.cert) return { movedTo: `/cert/${cert.cert}.md` };
    const [{ lookup, settled }, history] = await Promise.all([context.valuer.stored(cert), readHistory(context, cert)]);
    const { card } = lookup;
    const range = card?.priceRangeUsdCents;
    const { baseUrl } = context.config;
    const pageUrl = `${baseUrl}/cert/${cert.cert}`;
    const within = range ? `, 80% range ${usdToTheCent(range.low)} to ${usdToTheCent(range.high)}` : '';
    const priced =
      card?.priceUsdCents == null
        ? escaped(whyUnpriced(lookup))
        : `Reference price: **${usdToTheCent(card.priceUsdCents)}**${within}.`;
    const slabs = slabWords(lookup);
    const body = [
      `# ${cert.company} ${cert.certNumber}${card ? `: ${escaped(slabName(lookup))}` : ''}`,
      '',
      ...(card ? [`[${escaped(card.name)}](${card.href}.md), ${escaped(card.setName ?? '')}`, ''] : []),
      priced,
      '',
      ...(slabs === null ? [] : [`Slabs: ${escaped(slabs)}`, '']),
      ...contradictionsOf(history),
      ...salesOf(history),
      ...changesOf(history),
      `[Page](${pageUrl}) · [Data](${baseUrl}/v1/graded/${cert.cert}) · [History](${baseUrl}/v1/graded/${cert.cert}/history)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl, noStore: !settled };
  },
};

function contradictionsOf({ contradictions }: ShownHistory): string[] {
  if (contradictions.length === 0) return [];
  const lines = contradictions.map(({ text }) => `- ${escaped(contradictionWords(text))}`);
  return [`## ${CONTRADICTION_HEADING}`, '', CONTRADICTION_MEANING, '', ...lines, ''];
}

function salesOf({ sales }: ShownHistory): string[] {
  if (sales.length === 0) return [];
  const rows = sales.map(
    (sale) =>
      `| ${briefDay(sale.soldAt)} | ${priceOrNone(sale.priceUsdCents)} | ${priceOrNone(sale.referencePriceUsdCents)} | ${escaped(`${sale.name}, ${gradeName(sale.gradeLabel)}`)} | ${escaped(whereWords(sale))} |`,
  );
  return [
    '## Recorded sales of this slab',
    '',
    '| Day | Sold for | Price that day | As | Where |',
    '|---|--:|--:|---|---|',
    ...rows,
    '',
  ];
}

function changesOf({ changes }: ShownHistory): string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(
    ({ at, field, from, to }) => `- ${briefDay(at)}: ${field} “${escaped(from)}” became “${escaped(to)}”`,
  );
  return ['## Changes of its record', '', ...lines, ''];
}
