import type { Graph, Thing, WithContext } from 'schema-dts';
import type { Site } from './site/site.ts';

/** One block of structured data: a schema.org thing with its context. */
export type JsonLdBlock = WithContext<Thing> | Graph;

/** A block's text, safe inside a script element: no sign that could end it or open a comment (HTML, section 4.12.1.3). */
export function jsonLdText(block: JsonLdBlock): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return JSON.stringify(block).replace(/[<>&\u2028\u2029]/g, escaped);
}

/** The blocks of every page: its publisher and the site. */
export function siteBlocks({ name, baseUrl }: Pick<Site, 'name' | 'baseUrl'>): JsonLdBlock[] {
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      '@id': `${baseUrl}/#organization`,
      name,
      url: `${baseUrl}/`,
      logo: `${baseUrl}/icon.svg`,
    },
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      '@id': `${baseUrl}/#website`,
      name,
      url: `${baseUrl}/`,
      publisher: { '@id': `${baseUrl}/#organization` },
    },
  ];
}

/** One step of a trail; `href` is site-relative. */
export type Crumb = { name: string; href: string };

/** The way to a page, from home on; the page itself comes last and needs no address. */
export function breadcrumbBlock(
  { name, baseUrl }: Pick<Site, 'name' | 'baseUrl'>,
  trail: readonly Crumb[],
): JsonLdBlock {
  const steps = [{ name, href: '/' }, ...trail];
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({
      '@type': 'ListItem' as const,
      position: at + 1,
      name: step.name,
      ...(at === steps.length - 1 ? {} : { item: baseUrl + step.href }),
    })),
  };
}

/** An ordered list of pages of the site. */
export function itemListBlock(baseUrl: string, name: string, items: readonly Crumb[]): JsonLdBlock {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    numberOfItems: items.length,
    itemListElement: items.map((item, at) => ({
      '@type': 'ListItem' as const,
      position: at + 1,
      name: item.name,
      url: baseUrl + item.href,
    })),
  };
}
