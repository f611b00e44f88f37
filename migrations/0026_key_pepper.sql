-- Which data folder's key-pepper the hashes of this database were made with: one row, once a process has used it.
create table key_pepper (
  one_row boolean primary key default true check (one_row),
  fingerprint bytea not null,
  noted_at timestamptz not null default now()
);
