-- Who may ask: partner keys. The secret is shown once; only its keyed hash is kept.

create table api_keys (
  id          text primary key,              -- mk_…: public
  secret_hash bytea not null,                -- HMAC-SHA256 of the secret under the installation's pepper
  label       text not null,
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz
);
