-- Ids by which other programs know a printing, as they are published: `<space> <id>`. Several printings may have one: a product
-- of a market is often every finish of a card. On a row of an id space: those that its source gives; of `own:<space>`: the operator's.
alter table item_sources add column external_ids text[];
