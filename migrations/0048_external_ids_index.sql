create index item_sources_by_external_id on item_sources using gin (external_ids) with (fastupdate = off) where external_ids is not null;
