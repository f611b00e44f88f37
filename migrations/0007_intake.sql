-- What people send in: applications for a key and reports of wrong data. A person decides each of them.

create table submissions (
  id           text primary key,             -- ap_… or rp_…: told to whoever sent it
  kind         text not null check (kind in ('application', 'report')),
  fields       jsonb not null,               -- as the form of its kind declares them
  content_hash bytea not null,               -- of kind and fields without case: the same content is kept once a day
  sent_by_key  text references api_keys (id),    -- null: sent without a key
  received_at  timestamptz not null,
  state        text not null default 'open' check (state in ('open', 'accepted', 'rejected')),
  decided_at   timestamptz,
  decided_by   text,
  reason       text,
  key_id       text references api_keys (id),    -- issued when the application was accepted
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null))
);
create index submissions_by_content on submissions (content_hash, received_at);
create index submissions_by_time on submissions (received_at);
create index submissions_open on submissions (received_at) where state = 'open';
create index submissions_by_decision on submissions (decided_at);

-- Which submission answered an Idempotency-Key; kept for 24 hours.
create table intake_idempotency (
  fingerprint   bytea primary key,           -- keyed hash of route, caller and key: the caller cannot be read from it
  payload_hash  bytea not null,
  submission_id text not null references submissions (id) on delete cascade,
  answered_at   timestamptz not null
);
create index intake_idempotency_by_time on intake_idempotency (answered_at);
create index intake_idempotency_by_submission on intake_idempotency (submission_id);
