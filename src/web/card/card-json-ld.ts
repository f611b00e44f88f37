import type { Product, PropertyValue, WithContext } from 'schema-dts';
import type { CardSummary } from '../../items/summary.ts';
import type { LiveListings } from '../../sales/listings-of-series.ts';
import { plainUsd } from '../format.ts';
import { itemListBlock, type JsonLdBlock } from '../json-ld.ts';
import { type Site, shownImage } from '../site/site.ts';
import { gradeName, lineOf } from './card-facts.ts';
import { gameLabel } from './card-words.ts';

type SiteAddresses = Pick<Site, 'baseUrl' | 'imageHosts'>;
type Named = Pick<
  CardSummary,
  'id' | 'game' | 'name' | 'setName' | 'printedNumber' | 'variation' | 'language' | 'imageUrl' | 'href'
>;
type Graded = Named & Pick<CardSummary, 'gradeLabel' | 'priceUsdCents' | 'updatedAt'>;

/** The market data of a graded card's block: each null where it is not known. */
export type PriceEvidence = {
  /** Live listings seen in the last 30 days. */
  listings: LiveListings | null;
  /** Completed sales of the last 30 days. Deeper history is shown to partners and visitors, never in structured data. */
  soldIn30Days: number | null;
};

/** A card at one grade. The reference price is a property, never an offer, since it is not for sale at that price. */
export function gradedProduct(site: SiteAddresses, card: Graded, evidence: PriceEvidence): WithContext<Product> {
  const { listings } = evidence;
  const properties = propertiesOf(card, evidence);
  return {
    ...product(site, card, card.gradeLabel === null ? lineOf(card) : `${lineOf(card)}, ${gradeName(card.gradeLabel)}`),
    ...(listings && {
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: plainUsd(listings.lowUsdCents),
        highPrice: plainUsd(listings.highUsdCents),
        offerCount: listings.count,
        priceCurrency: 'USD',
      },
    }),
    ...(properties.length > 0 ? { additionalProperty: properties } : {}),
  };
}

/** The card whatever its grade, and its tracked grades, if it has any. */
export function overviewBlocks(
  site: SiteAddresses,
  card: Named,
  grades: readonly { gradeLabel: string | null; href: string }[],
): JsonLdBlock[] {
  const line = lineOf(card);
  const entries = grades.map(({ gradeLabel, href }) => ({ name: `${line}, ${gradeName(gradeLabel!)}`, href }));
  return [
    product(site, card, line),
    ...(entries.length > 0 ? [itemListBlock(site.baseUrl, `Grades of ${line}`, entries)] : []),
  ];
}

function product(site: SiteAddresses, card: Named, name: string): WithContext<Product> {
  const { baseUrl } = site;
  // Its own picture where pages may show it; else the one drawn of its page.
  const picture = shownImage(site, card.imageUrl) ?? `${card.href}.png`;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    url: baseUrl + card.href,
    sku: card.id,
    category: `${gameLabel(card.game)} trading card`,
    image: picture.startsWith('/') ? baseUrl + picture : picture,
  };
}

function propertiesOf({ priceUsdCents, updatedAt }: Graded, { soldIn30Days }: PriceEvidence): PropertyValue[] {
  const properties: PropertyValue[] = [];
  if (priceUsdCents !== null)
    properties.push({
      '@type': 'PropertyValue',
      name: 'Reference price',
      value: priceUsdCents / 100,
      unitText: 'USD',
    });
  if (soldIn30Days !== null)
    properties.push({
      '@type': 'PropertyValue',
      name: 'Recorded sales',
      value: soldIn30Days,
      description: 'Completed sales of the last 30 days',
    });
  if (updatedAt !== null)
    properties.push({ '@type': 'PropertyValue', name: 'Reference price updated', value: updatedAt });
  return properties;
}
