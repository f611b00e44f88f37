import type { WebContext } from '../context.ts';

export type FeedEntry = { id: string; url: string; title: string; summary: string; updated: string };
type Feed = { title: string; path: string; page: string; updated: string; entries: readonly FeedEntry[] };

/** The newest of some moments in ISO 8601; the epoch of none. */
export function newestOf(moments: readonly string[]): string {
  return moments.toSorted().at(-1) ?? new Date(0).toISOString();
}

/** A feed (Atom, RFC 4287). */
export function atom(
  { config: { baseUrl, serviceName } }: Pick<WebContext, 'config'>,
  { title, path, page, updated, entries }: Feed,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escaped(baseUrl + path)}</id>`,
    `<title>${escaped(`${title} · ${serviceName}`)}</title>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escaped(serviceName)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(baseUrl + path)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(baseUrl + page)}"/>`,
    ...entries.map(
      (entry) =>
        `<entry><id>${escaped(entry.id)}</id><title>${escaped(entry.title)}</title><updated>${entry.updated}</updated>` +
        `<link rel="alternate" type="text/html" href="${escaped(entry.url)}"/><summary>${escaped(entry.summary)}</summary></entry>`,
    ),
    '</feed>',
    '',
  ].join('\n');
}

/** Text in XML, escaped and without the characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
