-- The trigger on items, without joining their states before and after: the plan of a session's first update is kept, and
-- made for one row the join compares each row of the next updates with every other.

create or replace function tagged_items_changed() returns trigger language plpgsql as $$
declare
  item_ids uuid[];
  games text[];
  turns int[];
begin
  select array_agg(id), array_agg(game), array_agg(turn) into item_ids, games, turns from (
    select id, game, sum(turn) as turn from (
      select id, game, -1 as turn from old_items where removed_at is null and image_url is not null
      union all
      select id, game, 1 from new_items where removed_at is null and image_url is not null
    ) states group by id, game having sum(turn) <> 0
  ) changed;
  if item_ids is null then return null; end if;
  perform pg_advisory_xact_lock(hashtext('tag_reach'));
  perform change_tag_reach(array_agg(tag_id), array_agg(game), array_agg(links))
  from (select l.tag_id, c.game, sum(c.turn) as links
        from unnest(item_ids, games, turns) c (id, game, turn) join item_tags l on l.item_id = c.id
        group by l.tag_id, c.game) by_tag;
  return null;
end $$;

create function tag_links_emptied() returns trigger language plpgsql as $$
begin
  delete from tag_reach;
  return null;
end $$;

create trigger item_tags_emptied after truncate on item_tags for each statement execute function tag_links_emptied();
