-- A connected service may be paused by a person: a decision, which holds in every process.
alter table decisions drop constraint decisions_kind_check,
  add constraint decisions_kind_check
    check (kind in ('undo_import', 'match_sale', 'drop_sale', 'application', 'report', 'pause_service'));
alter table service_clients add column paused boolean not null default false;
