-- The newest sales by moment and id: with ties of a day in the index, a list of fifty reads fifty. Takes the place of sales_recent.
create index sales_newest on sales (sold_at desc, id desc);
drop index sales_recent;
