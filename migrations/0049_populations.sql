-- How many slabs of a card a grader has reported, by grade: one report a company and day, never changed. Grades outside the scale
-- are kept as the report has them: they count in the total.
create table populations (
  item_id   uuid not null references items,
  company   text not null,
  day       int not null,
  grade     text not null,                     -- key of the scale, or the words of the report
  count     int not null check (count >= 0),
  source    text not null,
  import_id int not null references imports,
  primary key (item_id, company, day, grade)
);
create trigger append_only before update or delete or truncate on populations
  for each statement execute function reject_index_change();
