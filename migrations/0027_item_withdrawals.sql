-- Every time the catalog withdraws an item or takes it back, and the first index close that acted on it: a replay of an
-- index must leave the item out from the same day on, although items.removed_at is only what holds now.
create table item_withdrawals (
  id        bigint generated always as identity primary key, -- rises with time, for one item
  item_id   uuid not null references items,
  withdrawn boolean not null,               -- false: it is back
  noted_at  timestamptz not null default now(),
  close_day int                             -- UTC day number; null: no index has closed a day since
);
create index item_withdrawals_by_item on item_withdrawals (item_id, close_day);
create index item_withdrawals_unassigned on item_withdrawals (id) where close_day is null;

create function note_withdrawal() returns trigger language plpgsql as $$
begin
  insert into item_withdrawals (item_id, withdrawn) values (new.id, new.removed_at is not null);
  return null;
end $$;

create trigger note_withdrawal after update of removed_at on items for each row
  when ((old.removed_at is null) <> (new.removed_at is null)) execute function note_withdrawal();

insert into item_withdrawals (item_id, withdrawn, noted_at)
  select id, true, removed_at from items where removed_at is not null order by removed_at, id;

-- A row changes once: when a close takes it in and writes its day.
create trigger append_only before update on item_withdrawals for each row
  when (old.close_day is not null
    or (old.id, old.item_id, old.withdrawn, old.noted_at) is distinct from (new.id, new.item_id, new.withdrawn, new.noted_at))
  execute function refuse_index_change();
create trigger never_deleted before delete or truncate on item_withdrawals for each statement execute function refuse_index_change();
