-- Numbers in their natural order: each run of digits is padded, so 2 is before 10 and TG01 after both. Cards without a
-- number come last.
alter table items add column number_key text collate "C" generated always as (
  coalesce(regexp_replace(regexp_replace(lower(number), '([0-9]+)', '00000000\1', 'g'), '[0-9]+([0-9]{8})', '\1', 'g'), '~')
) stored;
create index items_in_set on items (set_id, number_key, name collate "C") where removed_at is null;
