import type { Game } from '../catalog/games.ts';
import type { Language } from '../catalog/languages.ts';
import { numberInSet } from '../catalog/number-in-set.ts';
import { cardHref, itemSegment } from '../catalog/slug.ts';
import type { Sql } from '../db/client.ts';

/** An item with its set, as every view needs it. */
export type ItemRow = {
  id: string;
  id8: string;
  game: Game;
  set_id: number;
  set_segment: string;
  set_name: string;
  set_code: string | null;
  number: string | null;
  name: string;
  printed_name: string | null;
  language: Language;
  variation: string | null;
  rarity: string | null;
  year: number | null;
  image_url: string | null;
  image_url_thumb: string | null;
  stem: string;
  upstream_item_id: string | null;
  /** When its catalog dropped it; its address is not reused. */
  removed_at: Date | null;
};

/** Columns of ItemRow over `items i join sets s`. */
export const ITEM_COLUMNS = `i.id, i.id8, i.game, i.set_id, s.segment as set_segment, s.name as set_name, s.code as set_code,
  i.number, i.name, i.printed_name, i.language, i.variation, i.rarity, coalesce(i.year, s.year) as year, i.image_url,
  i.image_url_thumb, i.stem, i.upstream_item_id, i.removed_at`;

/** One look for the set of each: a plan that joins would read all sets, which takes longer than finding a page of items. */
const ITEMS_BY_IDS = `select ${ITEM_COLUMNS} from items i
  cross join lateral (select segment, name, code, year from sets where id = i.set_id offset 0) s
  where i.id = any((select $1::uuid[])::uuid[])`;

/** The items of ids, by id; unknown ids are left out. */
export async function itemMap(db: Sql, ids: readonly string[]): Promise<Map<string, ItemRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.prepared<ItemRow>('items_by_ids', ITEMS_BY_IDS, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same in the order of `ids`. */
export async function itemsByIds(db: Sql, ids: readonly string[]): Promise<ItemRow[]> {
  const byId = await itemMap(db, ids);
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/** Its number within the set, and as it is printed on the card. */
export function numbersOf({ number, set_code }: Pick<ItemRow, 'number' | 'set_code'>) {
  return { cardNumber: numberInSet(number, set_code), printedNumber: number };
}

/** Address of an item's page: at a grade, or of the card when `gradeKey` is null. */
export function itemHref(
  item: Pick<ItemRow, 'game' | 'set_segment' | 'stem' | 'language' | 'id8'>,
  gradeKey: string | null,
): string {
  return cardHref({
    game: item.game,
    setSegment: item.set_segment,
    itemSegment: itemSegment({ stem: item.stem, language: item.language, id8: item.id8, gradeKey }),
  });
}
