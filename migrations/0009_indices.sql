-- Market indices. Levels, baskets and divisors are published once and never change, except by a logged correction.

create table indices (
  slug                text primary key,
  game                text not null,
  label               text not null,
  definition          jsonb not null default '{}', -- a sub-index: set, years, grade, tag; {} is the whole game
  base_day            int,                         -- the first successful rotation; null while computing
  methodology_version text not null                -- of the basket in force
);

-- The level at the close of a day, and the divisor it was computed with.
create table index_levels (
  slug                text not null references indices,
  day                 int not null,                -- UTC day number
  level               float8 not null,
  divisor             float8 not null,
  methodology_version text not null,
  primary key (slug, day)
);

-- What the basket's series sold for on a day; restated while late sales of the last 7 days arrive.
create table index_days (
  slug               text not null references indices,
  day                int not null,
  turnover_usd_cents bigint not null,
  sale_count         int not null,
  primary key (slug, day)
);

-- Every first day of a month, also those that found too few series: level and divisors are null while computing.
create table index_rotations (
  slug                text not null references indices,
  day                 int not null,
  eligible            int not null,
  skipped             boolean not null,            -- too few eligible: the basket before continues
  level               float8,
  divisor_before      float8,                      -- null on the base day too
  divisor_after       float8,
  methodology_version text not null,
  primary key (slug, day)
);

create table index_members (
  slug                   text not null,
  rotation_day           int not null,
  rank                   int not null,
  item_id                uuid not null references items,
  grade_key              text not null,
  weight                 float8 not null,
  price_usd              float8 not null,          -- dollars at the close of the rotation, unrounded
  turnover90_usd_cents   bigint not null,
  primary key (slug, rotation_day, rank),
  unique (slug, rotation_day, item_id),
  foreign key (slug, rotation_day) references index_rotations (slug, day)
);

-- Constituents taken out between rotations because every sale of theirs was voided.
create table index_removals (
  slug           text not null,
  rotation_day   int not null,                     -- of the basket it was in
  item_id        uuid not null,
  day            int not null,                     -- the first close without it
  price_usd      float8 not null,                  -- its last value
  divisor_before float8 not null,
  divisor_after  float8 not null,
  primary key (slug, rotation_day, item_id),
  foreign key (slug, rotation_day, item_id) references index_members (slug, rotation_day, item_id)
);

-- The public log of restated levels: within 5 days of the close, by more than 0.5 %.
create table index_corrections (
  slug         text not null references indices,
  day          int not null,
  old_level    float8 not null,
  new_level    float8 not null,
  reason       text not null,
  corrected_at timestamptz not null default now(),
  primary key (slug, day, corrected_at)
);

create function refuse_index_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- A level may only become what a correction of it says.
create function refuse_unlogged_level() returns trigger language plpgsql as $$
begin
  if (new.slug, new.day, new.methodology_version) is distinct from (old.slug, old.day, old.methodology_version)
    or not exists (select from index_corrections c
      where c.slug = old.slug and c.day = old.day and c.old_level = old.level and c.new_level = new.level) then
    raise exception 'index_levels is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger only_corrected before update on index_levels for each row execute function refuse_unlogged_level();
create trigger append_only before delete or truncate on index_levels for each statement execute function refuse_index_change();
create trigger append_only before update or delete or truncate on index_rotations for each statement execute function refuse_index_change();
create trigger append_only before update or delete or truncate on index_members for each statement execute function refuse_index_change();
create trigger append_only before update or delete or truncate on index_removals for each statement execute function refuse_index_change();
create trigger append_only before update or delete or truncate on index_corrections for each statement execute function refuse_index_change();
