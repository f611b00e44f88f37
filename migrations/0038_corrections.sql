-- Corrections are read from voids, reports and versions of the price model, newest first.
create index sale_voids_by_time on sale_voids (known_at, sale_id);

-- What is published of an accepted report; null for those accepted before this column. Reasons of other decisions are
-- not published.
alter table submissions add column correction text;
create index submissions_corrections on submissions (decided_at) where kind = 'report' and state = 'accepted';
