-- What pictures look like: vectors of 512 values, by the model that made them.

create sequence vector_versions;

create table item_vectors (
  item_id    uuid not null references items,
  model      text not null,          -- vectors of two models are never compared
  image_hash text,                   -- of the picture it was made from (item_images.hash); null: imported, of no picture here
  vector     bytea,                  -- 512 × float32, little-endian, of length 1; null: there is none any more
  digest     bigint,                 -- of the vector's bytes: tells whether an index on disk holds the same
  version    bigint not null default nextval('vector_versions'),  -- rises with each change, in the order of commits
  updated_at timestamptz not null default now(),
  primary key (item_id, model)
);
-- Floats do not compress, and a row of 2 kB fits its page.
alter table item_vectors alter column vector set storage plain;
create index item_vectors_version on item_vectors (model, version) include (item_id, digest);

create table models (
  name        text primary key,
  sha256      text not null,         -- of the file, models/<sha256>.onnx in the data folder
  input_name  text not null,
  output_name text not null,
  conformance bytea not null,        -- the vectors it gives for our own pictures, one after another
  added_at    timestamptz not null default now()
);

-- How near the nearest other card is, by model: what a score must exceed to mean something.
create table vector_spaces (
  model           text primary key,
  vectors         int not null,      -- that there were when it was measured
  stranger_scores real[] not null,   -- quantiles .5, .95 and .998 over sampled cards: cosine of the nearest card of another name
  stranger_margin real not null,     -- quantile .998: how far that one is before the next
  measured_at     timestamptz not null default now()
);
