/**
 * Rows that read the same and lead to different cards, in the lists of an answer: lists and tables of a page, its
 * structured data, tables of Markdown, entries of a feed. Prices, moves and days do not count as a difference.
 */
export function likeRows(text: string): string[] {
  return [...listsOf(text)].flatMap((rows) => {
    const hrefOf = new Map<string, string>();
    return rows.flatMap(({ says, href }) => {
      const known = hrefOf.get(says);
      hrefOf.set(says, href);
      return known === undefined || known === href ? [] : [`${says}: ${known} and ${href}`];
    });
  });
}

type Row = { says: string; href: string };

function* listsOf(text: string): Generator<Row[]> {
  const page = text.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
  for (const [, list] of page.matchAll(/<(?:ul|ol|tbody|dl)\b[^>]*>([\s\S]*?)<\/(?:ul|ol|tbody|dl)>/g))
    yield list!.split(/<(?:li|tr|dd)\b/).flatMap((row) => {
      // Of a table the cell with the link; of a list all of the entry.
      const cell = /<(th|td)\b[^>]*>(?:(?!<\/\1>)[\s\S])*?href="\/card\/[\s\S]*?<\/\1>/.exec(row)?.[0] ?? row;
      const href = /href="(\/card\/[^"#?]+\/[^"#?]+\/[^"#?]+)"/.exec(cell)?.[1];
      return href === undefined ? [] : [{ says: wordsOf(cell.replace(/^[^<]*>/, '')), href }];
    });
  for (const [, json] of text.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)) {
    const { itemListElement = [], '@type': type } = JSON.parse(json!);
    if (type === 'ItemList')
      yield itemListElement.map(({ name, url }: Record<string, string>) => ({ says: name!, href: url! }));
  }
  yield [...text.matchAll(/^\|.*\]\((\/card\/[^)]*)\).*$/gm)].map(([row, href]) => ({
    says: wordsOf(row.replace(/\]\([^)]*\)/g, '').replace(/^\|[ \d]+\|/, '|')),
    href: href!,
  }));
  yield [...text.matchAll(/<entry>[\s\S]*?<title>([\s\S]*?)<\/title>[\s\S]*?href="([^"]*)"/g)].map(
    ([, title, href]) => ({
      says: wordsOf(title!),
      href: href!,
    }),
  );
}

function wordsOf(html: string): string {
  return html
    .replace(/<time\b[\s\S]*?<\/time>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\$[\d,.]+|[+−]?[\d.]+ ?%|\d{1,2} [A-Z][a-z]{2,3} \d{4}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
