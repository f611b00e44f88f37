import type { Sql } from '../../db/client.ts';

/** How many cards of a set the catalog has, and addresses of different pictures of some. */
export async function setPictures(
  db: Sql,
  setId: number,
  most: number,
): Promise<{ cards: number; pictures: string[] }> {
  const [counted, pictured] = await Promise.all([
    db.prepared<{ cards: number }>(
      'set_card_count',
      'select count(*) as cards from items where set_id = $1 and removed_at is null',
      [setId],
    ),
    db.prepared<{ picture: string }>(
      'set_pictures',
      `select image_url as picture from items where set_id = $1 and removed_at is null and image_url is not null
       group by image_url order by min(number), image_url limit $2`,
      [setId, most],
    ),
  ]);
  return { cards: counted[0]!.cards, pictures: pictured.map(({ picture }) => picture) };
}
