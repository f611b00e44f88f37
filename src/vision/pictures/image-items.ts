import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { UUID } from '../../lib/uuid.ts';

/** The items that a name means, or why it means none. */
type NamedItems = { itemIds: string[]; problem: null } | { itemIds: null; problem: string };

/**
 * Finds what pictures are of: a name is a catalog id, or the id a source has for the card (`xy12-1`), in any id space.
 * tcgdex numbers a card and appends the printing (`base1-4:en:holo`): the number alone means its English
 * printings. An id that means two cards (of `game`, where it is given) means none.
 */
export async function itemsNamed(
  sql: Sql,
  names: readonly string[],
  game: Game | null,
): Promise<Map<string, NamedItems>> {
  const rows = await sql.query<{ name: string; id: string; card: string }>(
    `with named as (
       select n.name, s.item_id as id from unnest($1::text[]) n (name) join item_sources s on s.source_id = n.name
       union
       select n.name, s.item_id from unnest($1::text[]) n (name)
         join item_sources s on split_part(s.source_id, ':', 1) = n.name
       where s.space = 'tcgdex' and split_part(s.source_id, ':', 2) = 'en'
       union
       select u.id::text, u.id from unnest($2::uuid[]) u (id)
     )
     select n.name, i.id, concat_ws(' ', i.set_id, i.stem, i.language) as card
     from named n join items i on i.id = n.id where $3::text is null or i.game = $3 order by n.name, i.id`,
    [names, names.map(lower).filter((name) => UUID.test(name)), game],
  );
  const found = new Map<string, { ids: string[]; cards: Set<string> }>();
  for (const { name, id, card } of rows) {
    const one = found.get(name) ?? { ids: [], cards: new Set() };
    found.set(name, one);
    one.ids.push(id);
    one.cards.add(card);
  }
  return new Map(names.map((name) => [name, meant(name, found.get(UUID.test(lower(name)) ? lower(name) : name))]));
}

function meant(name: string, found: { ids: string[]; cards: Set<string> } | undefined): NamedItems {
  if (found === undefined) return { itemIds: null, problem: `no item has the id "${name}"` };
  if (found.cards.size > 1) {
    const problem = `"${name}" is the id of ${found.cards.size} cards: say which by --game, or by catalog id`;
    return { itemIds: null, problem };
  }
  return { itemIds: found.ids, problem: null };
}

const lower = (text: string) => text.toLowerCase();
