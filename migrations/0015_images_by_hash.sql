-- Items that were given the same picture are found by it.
create index item_images_by_hash on item_images (hash);
