import type { Session } from '../../db/client.ts';
import { COLORS, type Color } from './dominant-colors.ts';

/** What the colors of a picture are derived from. */
const ORIGIN = 'image';

/** Makes these the colors that the items' pictures have: tags of kind `color`, the same in every game. */
export async function writeColorTags(
  session: Session,
  items: readonly { itemId: string; colors: readonly Color[] }[],
): Promise<void> {
  await session.query(
    `insert into tags (kind, slug, name) select 'color', slug, initcap(slug) from unnest($1::text[]) slug
     on conflict (kind, slug, game) do nothing`,
    [COLORS],
  );
  const pairs = items.flatMap(({ itemId, colors }) => colors.map((slug) => ({ itemId, slug })));
  await session.query(
    `with derived as (
       select t.id as tag_id, p.item_id from unnest($2::uuid[], $3::text[]) p (item_id, slug)
         join tags t on t.kind = 'color' and t.slug = p.slug and t.game is null
     ), dropped as (
       delete from item_tags l using tags t
       where l.tag_id = t.id and t.kind = 'color' and l.origin = $1 and l.item_id = any($4::uuid[])
         and not exists (select from derived where derived.tag_id = l.tag_id and derived.item_id = l.item_id)
     )
     insert into item_tags (tag_id, item_id, origin) select tag_id, item_id, $1 from derived on conflict do nothing`,
    [ORIGIN, pairs.map(({ itemId }) => itemId), pairs.map(({ slug }) => slug), items.map(({ itemId }) => itemId)],
  );
}
