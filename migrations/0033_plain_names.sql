-- The names of the glossary in ARCHITECTURE.md. Processes of the version before cannot go on with these: they are stopped
-- before this upgrade, so what was kept for them only is dropped too.
alter table sales rename column refusal to rejection;

alter table refused_rows rename to rejected_rows;
alter table rejected_rows rename constraint refused_rows_pkey to rejected_rows_pkey;
alter table rejected_rows rename constraint refused_rows_import_id_fkey to rejected_rows_import_id_fkey;

alter table card_touches rename to card_snapshots;
alter table card_snapshots rename column touches to snapshots;
alter table card_snapshots rename constraint card_touches_pkey to card_snapshots_pkey;
alter table card_snapshots rename constraint card_touches_item_id_fkey to card_snapshots_item_id_fkey;

alter table couriers rename to service_clients;
alter table service_clients rename constraint couriers_pkey to service_clients_pkey;

alter table vector_spaces rename column stranger_scores to impostor_scores;
alter table vector_spaces rename column stranger_margin to impostor_margin;

alter function refuse_index_change() rename to reject_index_change;
alter function refuse_unlogged_level() rename to reject_unlogged_level;

alter table quota_leases rename to quota_budgets;
alter table quota_budgets rename column leased to taken;
alter table quota_budgets drop column holder, drop column shared;
alter table quota_budgets rename constraint quota_leases_pkey to quota_budgets_pkey;
drop table valuations;
drop sequence valuation_runs;
