-- Card images from the operator's disk, and what there is of a game.

create index items_live on items (game, set_id) where removed_at is null;

create table item_images (
  item_id                uuid primary key references items,
  hash                   text not null,         -- names the files: images/<first two>/<hash>-<width>.webp in the data folder
  width                  int not null,          -- of the larger file, pixels
  height                 int not null,
  imported_at            timestamptz not null default now(),
  source_image_url       text,                  -- what the catalog's source names: items.image_url is ours instead
  source_image_url_thumb text
);
