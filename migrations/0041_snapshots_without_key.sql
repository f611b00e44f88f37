-- Items of snapshots are those of sales, which reference them: a check of each of these rows was a tenth of a close's time.
alter table card_snapshots drop constraint card_snapshots_item_id_fkey;
