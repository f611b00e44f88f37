-- Items whose sales or ids seem to be those of another, as the audit found them, and which of their prices are withheld.
alter table decisions drop constraint decisions_kind_check,
  add constraint decisions_kind_check check (kind in
    ('undo_import', 'match_sale', 'drop_sale', 'application', 'report', 'pause_service', 'identity_suspect'));
create table identity_suspects (
  id        bigint generated always as identity primary key,
  kind      text not null check (kind in
    ('shared_id', 'swapped_siblings', 'off_curve', 'grade_inversion', 'source_factor', 'shifted_set')),
  subject   text not null,                     -- what it is of: a later audit finds it again by this
  game      text not null,
  score     double precision not null check (score between 0 and 1),
  evidence  jsonb not null,
  found_at  timestamptz not null default now(),
  closed_at timestamptz,                       -- when an audit did not find it any more
  unique (kind, subject)
);
create table identity_suspect_series (
  suspect_id bigint not null references identity_suspects on delete cascade,
  place      int not null,
  item_id    uuid not null references items,
  grade_key  text,                             -- null: of every grade
  withheld   boolean not null default false,
  primary key (suspect_id, place)
);
-- Read with every price, and nearly always empty.
create index identity_suspect_series_withheld on identity_suspect_series (item_id) where withheld;
