-- Valuations of certs under way or just ended: each is run by one process at a time, and told of to all.

create sequence valuation_runs;
create table valuations (
  company      text not null,
  cert_key     text not null,
  cert_number  text not null,                  -- as it was asked for
  run_id       bigint not null default nextval('valuation_runs'),
  state        text not null default 'running' check (state in ('running', 'stopped', 'done')), -- stopped: nobody waited
  owner        text not null,                  -- the process that runs it
  lease_until  timestamptz not null,           -- a process that dies lets go of it by this
  wanted_until timestamptz not null default '-infinity', -- other processes have somebody who waits
  is_job       boolean not null default false, -- it goes on though nobody waits
  attempts     int not null default 1,         -- processes that took it up
  events       text[] not null default '{}',   -- what it told, as a stream sends it: `progress {…}`, at last `result {…}`
  started_at   timestamptz not null default now(),
  ended_at     timestamptz,
  primary key (company, cert_key)
);
create index valuations_running on valuations (lease_until) where state = 'running';
create index valuations_ended on valuations (ended_at) where ended_at is not null;
