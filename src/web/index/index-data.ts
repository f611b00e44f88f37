import type { Dataset, WithContext } from 'schema-dts';
import type { IndexDetail } from '../../indices/detail.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { briefDay, count, level, percentMove } from '../format.ts';
import { itemListBlock, type JsonLdBlock } from '../json-ld.ts';
import type { Site } from '../site/site.ts';
import { DOWNLOADS } from './index-parts.tsx';

/** In a sentence or two, with its date. */
export function descriptionOf(detail: IndexDetail): string {
  const { label, value, deltas, constituentCount, sparkline } = detail;
  const what = `Market index of ${label} trading cards, computed daily from recorded sales`;
  if (value === null) return `${what}. It has no level yet.`;
  const moved = deltas.d30 === null ? '' : `, ${percentMove(deltas.d30)} in 30 days`;
  return `${what}: ${level(value)} at the close of ${briefDay(sparkline.at(-1)!.t)}${moved}, ${count(constituentCount)} cards.`;
}

/** Structured data: the basket, if any, and the data with their downloads. */
export function blocksOf({ baseUrl, name }: Site, detail: IndexDetail): JsonLdBlock[] {
  const { label, slug, constituents, sparkline, baseDate, updatedAt } = detail;
  const url = `${baseUrl}/indices/${slug}`;
  const dataset: WithContext<Dataset> = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${url}#dataset`,
    name: `${label} index by ${name}`,
    description: `${descriptionOf(detail)} Daily levels, divisors, turnover and baskets since ${briefDay(baseDate!)}, with what is needed to compute each level again.`,
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
  const cards = constituents.map((card) => ({ name: `${lineOf(card)}, ${gradeName(card.grade)}`, href: card.href }));
  return [itemListBlock(baseUrl, `${label} index: cards in the basket`, cards), dataset];
}
