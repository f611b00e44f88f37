import { Type } from 'typebox';
import { externalIdOf, ID_SPACE } from '../catalog/external-ids.ts';
import type { Sql } from '../db/client.ts';
import { addTo } from '../lib/group-by.ts';

export const externalIds = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Ids by which other programs know the card, by whose they are. One may be of several printings.',
});

/** Keys by which catalogs of one game meet: made here, known to nobody else. */
const MEETING_SPACES: readonly string[] = ['mtg-number', 'lorcana-printed', 'digimon-number', 'op-card', 'gundam-gcg'];
const MAX_ROWS = 200;

/** The ids of an item by space, each list in order. */
export async function externalIdsOf(sql: Sql, itemId: string): Promise<Record<string, string[]>> {
  const rows = await sql.prepared<{ space: string; source_id: string; external_ids: string[] | null }>(
    'external_ids_of_item',
    `select space, source_id, external_ids from item_sources where item_id = $1 and removed_at is null
     order by space, source_id limit ${MAX_ROWS}`,
    [itemId],
  );
  const ids = new Map<string, Set<string>>();
  for (const stored of rows.flatMap((row) => row.external_ids ?? [])) addTo(ids, ...externalIdOf(stored));
  // What a source publishes outranks the key that a catalog made of it.
  const published = new Set([...ids.keys(), ...MEETING_SPACES]);
  for (const { space, source_id: id } of rows) if (ID_SPACE.test(space) && !published.has(space)) addTo(ids, space, id);
  return Object.fromEntries(
    [...ids].sort(([a], [b]) => (a < b ? -1 : 1)).map(([space, list]) => [space, [...list].sort()]),
  );
}
