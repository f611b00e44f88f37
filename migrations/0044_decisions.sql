-- What a person decided about imports, sales and forms: who, when and why. A decision is never changed but by taking it back.
create table decisions (
  id             bigint generated always as identity primary key,
  kind           text not null check (kind in ('undo_import', 'match_sale', 'drop_sale', 'application', 'report')),
  -- The id of the import or form; of a sale, its source and id.
  subject        text not null,
  facts          jsonb not null default '{}',
  decided_at     timestamptz not null default now(),
  decided_by     text not null,
  why            text,
  taken_back_at  timestamptz,
  taken_back_by  text,
  taken_back_why text,
  check ((taken_back_at is null) = (taken_back_by is null))
);
create index decisions_by_time on decisions (decided_at desc, id desc);
create index decisions_in_force on decisions (kind, subject) where taken_back_at is null;

-- The files of an import, in order; rows name theirs by its place, from 1.
alter table imports add column files text[] not null default '{}';
alter table imports add column undone_by bigint references decisions (id);

alter table sales add column file int;
-- The import that reported a sale that a later one wrote: it waited in between.
alter table sales add column origin_import_id int references imports (id);
-- The decision that put the sale on its card.
alter table sales add column decision_id bigint references decisions (id);
-- The revision that this one brings back, and when.
alter table sales add column restores bigint references sales (id);
alter table sales add column restored_at timestamptz;
create index sales_by_import on sales using brin (import_id) with (pages_per_range = 32);
create index sales_by_origin on sales (origin_import_id) where origin_import_id is not null;
create index sales_rejected on sales (import_id, line) where rejection is not null;
create index sales_by_winner on sales (duplicate_of) where duplicate_of is not null;
create index sales_restored on sales (restored_at) where restores is not null;

alter table sale_voids add column decision_id bigint references decisions (id);
create index sale_voids_by_winner on sale_voids (superseded_by) where reason = 'duplicate';
create index sale_voids_by_import on sale_voids (import_id);

alter table rejected_rows add column file int;
create index rejected_rows_by_import on rejected_rows (import_id, line);

alter table waiting_sales add column file int;
-- A waiting sale that a person dropped stays out, whatever files report of it.
alter table waiting_sales add column dropped_by bigint references decisions (id);
create index waiting_sales_dropped on waiting_sales (source, source_sale_id) where dropped_by is not null;
create index waiting_sales_by_import on waiting_sales (import_id);
