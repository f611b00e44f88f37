import type { Sql } from '../../src/db/client.ts';

export type TagDetails = {
  kind?: string;
  slug: string;
  name?: string;
  game?: string | null;
  active?: boolean;
  itemIds?: readonly string[];
};

/** A tag (global, active, of kind `mood`, named like its slug) on items; returns its id. */
export async function aTag(sql: Sql, details: TagDetails): Promise<number> {
  const { kind = 'mood', slug, name = slug, game = null, active = true, itemIds = [] } = details;
  const [row] = await sql.query<{ id: number }>(
    'insert into tags (kind, slug, name, game, active) values ($1, $2, $3, $4, $5) returning id',
    [kind, slug, name, game, active],
  );
  await sql.query(`insert into item_tags (tag_id, item_id, origin) select $1, id, 'test' from unnest($2::uuid[]) id`, [
    row!.id,
    itemIds,
  ]);
  return row!.id;
}

/** Gives items a picture, which tags ask of them. */
export async function imaged(sql: Sql, ...itemIds: string[]): Promise<void> {
  await sql.query(`update items set image_url = 'https://images.example/card.webp' where id = any($1::uuid[])`, [
    itemIds,
  ]);
}
