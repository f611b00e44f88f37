-- Tags: words of a closed form that items can be found by, and what says that an item has one.

create table tags (
  id      int generated always as identity primary key,
  kind    text not null,
  slug    text not null,
  name    text not null,                     -- English
  game    text,                              -- null: global
  aliases text[] not null default '{}',      -- other languages and spellings, for search only
  active  boolean not null default true,
  unique nulls not distinct (kind, slug, game)
);

create table item_tags (
  tag_id  int not null references tags,
  item_id uuid not null references items,
  origin  text not null,                     -- provenance, never published: catalog | image | vectors | file name given at import
  primary key (tag_id, item_id, origin)
);
create index item_tags_by_item on item_tags (item_id);
