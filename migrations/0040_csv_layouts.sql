-- How files of one origin are read: what an operator stated about one and saved under a name.
create table csv_layouts (
  name text primary key,
  layout jsonb not null,
  saved_at timestamptz not null default now()
);
