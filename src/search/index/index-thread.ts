/** The worker thread that builds one index and searches it: neither holds up what the server does meanwhile. */
import type { ClientConfig } from 'pg';
import { openDb } from '../../db/client.ts';
import { serveCalls } from '../../threads.ts';
import { find, type SearchFilter, suggested } from '../find.ts';
import { correctedText } from '../query/corrected.ts';
import { type ChoicesRequest, choicesOf } from '../tag-choices.ts';
import { loadIndex } from './load-index.ts';
import type { SearchIndex } from './search-index.ts';

let index: SearchIndex;

const calls = {
  /** The first call. Resolves with the number of items. */
  async build(connection: ClientConfig, synonymsFile: string | null): Promise<number> {
    const db = openDb({ connection, poolSize: 1 });
    index = await loadIndex(db, synonymsFile).finally(() => db.close());
    return index.size;
  },
  size: () => index.size,
  find: (filter: SearchFilter, atMost?: number) => find(index, filter, atMost),
  corrected: (q: string) => correctedText(index, q),
  suggested: (q: string, limit: number) => suggested(index, q, limit),
  tagKinds: () => [...new Set(index.tags.all.map(({ kind }) => kind))],
  tagChoices: (request: ChoicesRequest) => choicesOf(index.tags.byKind, request),
};
export type IndexCalls = typeof calls;

serveCalls(calls);
