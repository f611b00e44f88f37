import { readCert } from '../../catalog/cert.ts';
import { itemHref, itemsByIds } from '../../items/item-row.ts';
import { identityOf } from '../../items/summary.ts';
import { trackedAt } from '../../pricing/store/tracked.ts';
import { MIN_Q_CHARS } from '../../search/find.ts';
import { callIndex } from '../../search/index/live.ts';
import { queryText } from '../../search/query/read-query.ts';
import { requestedGradeOf } from '../../search/query/requested-grade.ts';
import { MAX_Q_CHARS } from '../../search/search.ts';
import { printingOf } from '../card/card-facts.ts';
import { langOf } from '../card/script-language.ts';
import type { WebContext } from '../context.ts';
import type { Page } from '../page.ts';

const SUGGESTIONS = 8;

/** Words with the language tag of their script, where that is not the page's. */
type Worded = { text: string; lang?: string };

/** A line below the search field: a card, or the slab whose number was typed. */
export type Suggestion = { name: Worded; facts: Worded[]; href: string };

/** `/search/suggest.json?q=`: the suggestions of the search field of the pages; not counted against a budget. */
export const searchSuggest: Page = {
  path: '/search/suggest.json',
  type: 'application/json',
  maxAgeSeconds: 300,
  async answer(context, { query }) {
    const q = [...(query.get('q') ?? '').trim()].slice(0, MAX_Q_CHARS).join('');
    const isEnough = [...q].length >= MIN_Q_CHARS;
    const suggestions = isEnough ? [...slabOf(q), ...(await cardsFor(context, q))] : [];
    return { body: JSON.stringify({ query: q, suggestions }) };
  },
};

function slabOf(q: string): Suggestion[] {
  const reading = readCert(q);
  if (reading.kind === 'invalid') return [];
  const { company, certNumber, cert } = reading;
  return [
    { name: { text: `${company} ${certNumber}` }, facts: [{ text: 'Look up this slab' }], href: `/cert/${cert}` },
  ];
}

/** Cards of the API's suggestions; at the grade that the query names where they are tracked at it. */
async function cardsFor(context: WebContext, q: string): Promise<Suggestion[]> {
  const grade = requestedGradeOf(queryText(q));
  const ids = await callIndex(context, 'suggested', q, SUGGESTIONS);
  const [items, tracked] = await Promise.all([
    itemsByIds(context.db, ids),
    grade === null ? new Set<string>() : trackedAt(context.db, ids, grade.key),
  ]);
  return items.map((item) => {
    const isTracked = grade !== null && tracked.has(item.id);
    const identity = identityOf(item);
    const words = (text: string): Worded => ({ text, lang: langOf(text, item.language) });
    return {
      name: words(item.name),
      facts: [
        words(identity.setName),
        words(printingOf(identity)),
        { text: isTracked ? `· ${grade.label}` : '' },
      ].filter(({ text }) => text !== ''),
      href: itemHref(item, isTracked ? grade.key : null),
    };
  });
}
