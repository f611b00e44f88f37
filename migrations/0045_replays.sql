-- Prices of one version of the model may be computed again from the start of the ledger: what was published before stays in
-- a schema of its own, as that of an earlier version does. Null of `tables`: prices_v<version>.
alter table price_versions add column tables text;
alter table price_versions drop constraint price_versions_pkey;
alter table price_versions add primary key (until_day);
-- The first day that was published, of all and by game; null: the days before are the same in every schema.
alter table price_versions add column first_day int;
alter table price_versions add column first_days jsonb;
-- Counts replays, so that a server notices that prices of an equal version are others.
alter table model_state add column replays int not null default 0;
-- The day on which the replay took a sale in, where that is not the day of the close that did; 2147483647: never.
alter table sale_uses add column replay_day int;
do $$
declare past record;
begin
  for past in select table_schema as name from information_schema.tables
    where table_name = 'sale_uses' and table_schema ~ '^prices_v[0-9]+$' loop
    execute format('alter table %I.sale_uses add column if not exists replay_day int', past.name);
    execute format('alter table %I.model_state add column if not exists replays int not null default 0', past.name);
  end loop;
end $$;
