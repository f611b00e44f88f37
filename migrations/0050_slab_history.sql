-- What changed in the record of a cert after it was registered, one row a field; cards are named by their ids.
create table cert_changes (
  id       bigint generated always as identity primary key,
  company  text not null,
  cert_key text not null,
  at       timestamptz not null default now(),
  field    text not null check (field in ('card', 'grade', 'label', 'state')),
  old      text not null,
  new      text not null,
  origin   text not null,                      -- name of the import file, or of the grader queried
  foreign key (company, cert_key) references certs
);
create index cert_changes_by_cert on cert_changes (company, cert_key);
create trigger append_only before update or delete or truncate on cert_changes
  for each statement execute function reject_index_change();

-- What a grader reports with a cert: its number of the card, and on a day the slabs in the cert's grade and above it.
alter table certs add column spec_id text;
alter table certs add column population_at_grade int;
alter table certs add column population_higher int;
alter table certs add column population_day int;

-- Null: a grader stated the ids when one of its certs was looked up.
alter table item_sources alter column import_id drop not null;
