-- The public record (docs/methodology/record.md): what each close published, by its Merkle root. The lines themselves are
-- computed from the price tables.

-- Parameters of the price model as canonical JSON, by their SHA-256.
create table record_parameters (
  hash       bytea primary key,
  parameters text not null
);

create table record_days (
  day        int primary key,
  version    text not null,                    -- of the model
  base       boolean not null,                 -- with the snapshots and curves in force from before
  parameters bytea not null references record_parameters,
  root       bytea not null,
  lines      int not null,
  bytes      bigint not null,                  -- of the file
  digest     bytea not null,                   -- SHA-256 of the file
  leaves     bytea not null,                   -- 32 bytes for each line
  closed_at  timestamptz not null,
  signature  bytea                             -- of the checkpoint, by a key that is not in use any more
);
alter table record_days alter column leaves set storage external;

-- The keys that sign checkpoints, the newest last; private keys are in the data folder.
create table record_keys (
  number     int primary key,
  name       text not null,                    -- the origin of checkpoints
  public_key bytea not null,
  day        int,                              -- whose record has the change to it; null for the first key
  signature  bytea                             -- of that line, by the key before
);

-- The sales and voids of a day without a scan.
create index sale_uses_by_close on sale_uses (closed_day) where closed_day is not null;
create index sale_uses_by_void on sale_uses (voided_day) where voided_day is not null;
