-- Valuations of certs are jobs of graphile-worker: only what they report is kept here. The table and the sequence of before,
-- `valuations` and `valuation_runs`, stay for processes of the version before, which may still run; the next release drops them.

create table valuation_events (
  run_id bigint not null,                      -- id of the job
  place  int not null,                         -- from 0 on, without gaps
  name   text not null check (name in ('progress', 'result')), -- the last is the result
  data   text not null,                        -- JSON, as a stream sends it
  at     timestamptz not null default clock_timestamp(),
  primary key (run_id, place)
);
