import { gradeByKey } from '../../../src/catalog/grades.ts';
import { readConnections } from '../../../src/connections.ts';
import type { Db } from '../../../src/db/client.ts';
import { openSources } from '../../../src/sales/sources/open-sources.ts';
import type { MarketQuery, Patience, SaleSource } from '../../../src/sales/sources/source.ts';

export const NOW_MS = Date.parse('2026-06-30T12:00:00Z');

/** The query of tests: Charizard 4 of Base in PSA 10, by default. */
export function aQuery(more: Partial<MarketQuery> = {}): MarketQuery {
  const grade = gradeByKey('psa-10')!;
  return {
    itemId: '00000000-0000-4000-8000-000000000001',
    upstreamItemId: null,
    game: 'pokemon',
    name: 'Charizard',
    number: '4',
    setName: 'Base',
    language: 'English',
    year: 1999,
    company: 'PSA',
    grade,
    ...more,
  };
}

export function patience(forMs = 2000, signal = new AbortController().signal): Patience {
  const endsMs = performance.now() + forMs;
  return { signal, leftMs: () => endsMs - performance.now(), leaveShare: 0 };
}

let count = 0;

/** Settings of a source in the operator's file, at a server of ours; the id is its own by default. */
export function entry(settings: Record<string, unknown>): Record<string, unknown> {
  return { id: `source-${count++}`, private: true, tries: 1, tryTimeoutMs: 500, ...settings };
}

/** Sources as the operator's file opens them. */
export function openEntries(db: Db, entries: Record<string, unknown>[], env: Record<string, string> = {}) {
  const { sources } = readConnections(JSON.stringify({ sources: entries }), 'connections.json', env);
  return openSources({ db, clock: () => NOW_MS, random: () => 0 }, sources);
}

/** The only market of an entry. */
export function openMarket(db: Db, settings: Record<string, unknown>, env: Record<string, string> = {}): SaleSource {
  return openEntries(db, [entry(settings)], env).markets[0]!;
}
