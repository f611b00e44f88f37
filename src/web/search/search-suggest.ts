import { MIN_Q_CHARS } from '../../search/find.ts';
import { MAX_Q_CHARS } from '../../search/search.ts';
import { suggestionsFor } from '../../search/suggest.ts';
import type { Page } from '../page.ts';

const SUGGESTIONS = 8;

/** `/search/suggest.json?q=`: the suggestions of the search field of the pages; not counted against a budget. */
export const searchSuggest: Page = {
  path: '/search/suggest.json',
  type: 'application/json',
  maxAgeSeconds: 300,
  async answer(context, { query }) {
    const q = [...(query.get('q') ?? '').trim()].slice(0, MAX_Q_CHARS).join('');
    const isEnough = [...q].length >= MIN_Q_CHARS;
    const found = isEnough ? await suggestionsFor(context, q, SUGGESTIONS) : { query: q, suggestions: [] };
    return { body: JSON.stringify(found) };
  },
};
