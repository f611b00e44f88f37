-- Card images from the operator's disk, how far tags reach, and what there is of a game.

create index items_live on items (game, set_id) where removed_at is null;

create table item_images (
  item_id                uuid primary key references items,
  hash                   text not null,         -- names the files: images/<first two>/<hash>-<width>.webp in the data folder
  width                  int not null,          -- of the larger file, pixels
  height                 int not null,
  imported_at            timestamptz not null default now(),
  source_image_url       text,                  -- what the catalog's source names: items.image_url is ours instead
  source_image_url_thumb text
);

-- Prefixes of tags: in "C" a prefix is a range, whatever signs it holds.
create index tags_by_name on tags (kind, lower(name) collate "C");
create index tags_by_slug on tags (kind, lower(slug) collate "C");

-- Links of a tag to live items with an image: of each game, and of all (game ''). Kept by the triggers below, so that
-- asking what tags there are does not count links.
create table tag_reach (
  tag_id int not null references tags on delete cascade,
  game   text not null,
  kind   text not null,                         -- of the tag: the most reaching of a kind are one walk
  links  int not null,
  primary key (tag_id, game)
) with (fillfactor = 80);
create index tag_reach_by_links on tag_reach (kind, game, links desc, tag_id);

create function change_tag_reach(tag_ids int[], games text[], by_links bigint[]) returns void language sql as $$
  insert into tag_reach as r (tag_id, game, kind, links)
  select c.tag_id, coalesce(c.game, ''), t.kind, sum(c.links)
  from unnest(tag_ids, games, by_links) c (tag_id, game, links) join tags t on t.id = c.tag_id
  group by grouping sets ((c.tag_id, t.kind, c.game), (c.tag_id, t.kind))
  on conflict (tag_id, game) do update set links = r.links + excluded.links
$$;

-- One at a time: a link and its item may change in two transactions, and neither would see the other.
create function tag_links_changed() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('tag_reach'));
  if tg_op <> 'INSERT' then
    perform change_tag_reach(array_agg(tag_id), array_agg(game), array_agg(-links))
    from (select l.tag_id, i.game, count(*) as links from old_links l join items i on i.id = l.item_id
          where i.removed_at is null and i.image_url is not null group by l.tag_id, i.game) gone;
  end if;
  if tg_op <> 'DELETE' then
    perform change_tag_reach(array_agg(tag_id), array_agg(game), array_agg(links))
    from (select l.tag_id, i.game, count(*) as links from new_links l join items i on i.id = l.item_id
          where i.removed_at is null and i.image_url is not null group by l.tag_id, i.game) come;
  end if;
  return null;
end $$;

create trigger item_tags_inserted after insert on item_tags referencing new table as new_links
  for each statement execute function tag_links_changed();
create trigger item_tags_updated after update on item_tags referencing old table as old_links new table as new_links
  for each statement execute function tag_links_changed();
create trigger item_tags_deleted after delete on item_tags referencing old table as old_links
  for each statement execute function tag_links_changed();

create function tagged_items_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from old_items o join new_items n using (id)
      where (o.removed_at is null and o.image_url is not null) <> (n.removed_at is null and n.image_url is not null))
  then return null; end if;
  perform pg_advisory_xact_lock(hashtext('tag_reach'));
  perform change_tag_reach(array_agg(tag_id), array_agg(game), array_agg(links))
  from (select l.tag_id, n.game, sum(case when n.removed_at is null and n.image_url is not null then 1 else -1 end) as links
        from old_items o join new_items n using (id) join item_tags l on l.item_id = n.id
        where (o.removed_at is null and o.image_url is not null) <> (n.removed_at is null and n.image_url is not null)
        group by l.tag_id, n.game) changed;
  return null;
end $$;

create trigger items_updated after update on items referencing old table as old_items new table as new_items
  for each statement execute function tagged_items_changed();

select change_tag_reach(array_agg(tag_id), array_agg(game), array_agg(links))
from (select l.tag_id, i.game, count(*) as links from item_tags l join items i on i.id = l.item_id
      where i.removed_at is null and i.image_url is not null group by l.tag_id, i.game) now;
