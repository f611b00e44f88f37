-- Catalog: sets, items (one printing of a card in one language), and where each was told of.

create table imports (
  id          int generated always as identity primary key,
  kind        text not null,                 -- catalog | sales | listings | rates | upstream
  format      text not null,
  started_at  timestamptz not null default now(),
  finished_at timestamptz,
  counts      jsonb not null default '{}'
);

create table sets (
  id       int generated always as identity primary key,
  game     text not null,
  segment  text not null,                    -- second path segment of a card href; stored at first import, never changed
  name     text not null,
  code     text,
  year     smallint,
  language text,                             -- null when its items are in several
  identity text not null unique,              -- game|source:key it was first known by; part of its items' identity
  unique (game, segment)
);

create table set_sources (
  game       text not null,
  source     text not null,
  source_key text not null,
  set_id     int not null references sets,
  primary key (game, source, source_key)
);

create table items (
  id               uuid primary key,         -- UUIDv5 of the first identity key; never recomputed
  game             text not null,
  set_id           int not null references sets,
  number           text,
  name             text not null,
  printed_name     text,
  language         text not null,
  variation        text,
  rarity           text,
  year             smallint,
  image_url        text,
  image_url_thumb  text,
  facts            jsonb not null default '{}',
  stem             text not null,            -- folded number and name, as in the slug
  id8              text not null generated always as (substr(id::text, 1, 8)) stored,
  identity_key     text collate "C" not null unique,
  source           text not null default 'mintmark', -- the id space that made it, and keeps it up to date
  upstream_item_id text unique,
  removed_at       timestamptz,              -- gone from every source; kept
  updated_at       timestamptz not null default now()
);
create index items_by_id8 on items (set_id, id8);
create index items_by_stem on items (set_id, stem);

create table item_sources (
  space       text not null,                 -- id space of a source
  source_id   text not null,
  item_id     uuid not null references items,
  import_id   int not null references imports, -- the last import that told of it
  removed_at  timestamptz,
  primary key (space, source_id)
);
create index item_sources_by_item on item_sources (item_id);
