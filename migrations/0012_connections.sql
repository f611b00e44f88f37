-- Outside services that are asked: their budgets, circuits and health, shared by all processes.

create table couriers (
  id                text primary key,        -- of the connection in the operator's file
  day               int not null,            -- UTC day number that `calls` counts
  calls             int not null,            -- tries of that day; each is counted before it is made
  budget_per_day    int,                     -- as whoever asked last had it; null: none
  faults            int not null default 0,  -- in a row
  open_until        timestamptz,             -- the circuit is open: nobody asks before; then one asks, and the rest wait for it
  wait_until        timestamptz,             -- the service said when to come again
  last_success_at   timestamptz,
  last_fault_at     timestamptz,
  last_fault_reason text,
  latencies_ms      int[] not null default '{}' -- of the last successful tries, newest first
);

-- Series that are asked for at the sources by and by, when each was last, and which of them a worker is at.
create table crawl_states (
  item_id         uuid not null references items,
  grade_key       text not null,
  value_usd_cents bigint not null default 0,  -- of its newest accepted sale
  value_class     smallint not null generated always as
    (floor(2 * ln(greatest(value_usd_cents, 1)::float8) / ln(2::float8))::smallint) stored, -- half a doubling wide
  crawled_at      timestamptz not null default 'epoch', -- end of the last crawl; the epoch: never
  taken_until     timestamptz not null default 'epoch', -- by a worker; one that dies lets go by it
  rows_found      int not null default 0,     -- by the last crawl
  problems        jsonb not null default '[]', -- of the last crawl: [{source, reason}]
  primary key (item_id, grade_key)
);
create index crawl_states_by_priority on crawl_states (value_class, crawled_at);

-- Files that a watched folder has given already.
create table watched_files (
  source      text not null,                 -- of the connection in the operator's file
  digest      bytea not null,                -- SHA-256 of the content: a renamed copy is not new
  name        text not null,
  imported_at timestamptz not null,
  problem     text,                          -- why it could not be read; null when it was
  primary key (source, digest)
);
