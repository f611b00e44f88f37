-- The sales of a card that no close has taken in are read with each of its prices: without these, by all sales of the card.
create index sales_of_item_by_id on sales (item_id, id);
create index sales_of_item_by_due_day on sales (item_id, greatest(known_day, sold_day));

-- In the order in which a page lists them, so that it reads as many as it lists.
create index sales_of_series on sales (item_id, grade_key, sold_day, sold_at, id);
drop index sales_by_item;
