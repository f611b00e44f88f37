-- Units are taken in blocks, without saying by which process. The version before still writes holder and shared; the next
-- release drops both.
alter table quota_leases alter column holder set default '';
