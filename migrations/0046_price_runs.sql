-- A version of the price model may publish more than one line: `mintmark reprice --from-start` computes prices again from the
-- first sale. Each line keeps its tables: those of a version's first one are in prices_v<version>, later ones in
-- prices_v<version>_<run>.
alter table price_versions add column run int not null default 1;
-- The first day that the line has; null: not noted.
alter table price_versions add column from_day int;
-- By game, the first day that was published when the line ended; null: not noted.
alter table price_versions add column first_days jsonb;
alter table price_versions drop constraint price_versions_pkey;
alter table price_versions add primary key (version, run);
