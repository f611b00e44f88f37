-- Backups that this installation made or failed to make; not part of a backup itself.
create table backups (
  id          bigint generated always as identity primary key,
  place       text not null,                   -- path of the file; - for standard output
  started_at  timestamptz not null default now(),
  finished_at timestamptz,                     -- null: it runs, or was killed
  bytes       bigint,
  problem     text                             -- why it failed, in a sentence
);
