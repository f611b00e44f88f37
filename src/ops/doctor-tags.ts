import type { Db } from '../db/client.ts';
import { type Finding, ok, warn } from './finding.ts';

/** How many live items of each game tags can reach: those with an image and an active tag. */
export async function tagReach(db: Db): Promise<Finding[]> {
  const rows = await db.query<{ game: string; items: number; imaged: number; reached: number }>(
    `select i.game, count(*) as items, count(i.image_url) as imaged,
       count(*) filter (where i.image_url is not null and t.item_id is not null) as reached
     from items i left join (
       select distinct l.item_id from item_tags l join tags t on t.id = l.tag_id where t.active
     ) t on t.item_id = i.id
     where i.removed_at is null group by i.game order by i.game`,
  );
  return rows.map(({ game, items, imaged, reached }) => {
    const what = `tags reach ${reached} of ${items} items of ${game}`;
    if (reached > 0) return ok(what);
    const advice =
      imaged === 0
        ? 'tags find items with an image only: mintmark import images <folder>, or a catalog that names images'
        : 'mintmark tags derive, or mintmark import tags <file>';
    return warn(what, advice);
  });
}
