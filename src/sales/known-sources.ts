import type { Sql } from '../db/client.ts';

/** Where sales and listings come from, as the service shows it. */
type KnownSource = {
  displayName: string;
  category?: 'public' | 'blockchain' | 'partner' | 'internal';
  url?: string;
  /** Sources whose sales it repeats: of two equal rows the other one is kept. */
  aggregates?: string[];
};

const KNOWN: Record<string, KnownSource> = {
  ebay: { displayName: 'eBay', url: 'https://www.ebay.com' },
  goldin: { displayName: 'Goldin', url: 'https://goldin.co' },
  fanatics: { displayName: 'Fanatics Collect', url: 'https://www.fanaticscollect.com' },
  myslabs: { displayName: 'MySlabs', url: 'https://myslabs.com' },
  cardhobby: { displayName: 'CardHobby', url: 'https://www.cardhobby.com' },
  pristine: { displayName: 'Pristine Auction', url: 'https://www.pristineauction.com' },
  alt: { displayName: 'Alt', url: 'https://alt.xyz' },
  // Alt's public list of what was sold anywhere, without the venue; `alt` is what Alt itself sold.
  'alt-sold': {
    displayName: 'Alt sold prices',
    url: 'https://alt.xyz',
    aggregates: ['ebay', 'goldin', 'fanatics', 'myslabs', 'cardhobby', 'pristine', 'alt'],
  },
  renaiss: { displayName: 'Renaiss', category: 'blockchain', url: 'https://www.renaiss.xyz' },
};

/** Makes sure that a row exists for each id: known sources by their names, others by their ids, simulated ones marked. */
export async function ensureSources(sql: Sql, ids: Iterable<string>): Promise<void> {
  const rows = [...new Set(ids)].sort().map((id) => {
    const known = KNOWN[id];
    return {
      id,
      display_name: known?.displayName ?? displayNameOf(id),
      category: known?.category ?? (id.startsWith('simulated-') ? 'internal' : 'public'),
      url: known?.url ?? null,
      aggregates: known?.aggregates ?? [],
    };
  });
  await sql.query(
    `insert into sources (id, display_name, category, url, aggregates)
     select id, display_name, category, url, aggregates
     from jsonb_to_recordset($1::jsonb) as s (id text, display_name text, category text, url text, aggregates text[])
     on conflict (id) do nothing`,
    [JSON.stringify(rows)],
  );
}

function displayNameOf(id: string): string {
  return id.startsWith('simulated-') ? `${id.slice('simulated-'.length)} (simulated)` : id;
}
