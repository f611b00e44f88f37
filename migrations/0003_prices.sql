-- Prices: the model's state as of the last closed day, and what every closed day published.
-- All of it follows from the ledger; `reprice` writes it, one transaction for every run of days it closes.

create table model_state (
  one_row      boolean primary key default true check (one_row),
  version      text not null,                  -- of the method and its parameters
  closed_day   int not null,                   -- the last closed day
  seen_sale_id bigint not null,                -- sales up to this id are taken in, or wait for their sold day
  state        jsonb not null                  -- market filters, curves, venues, calibration (src/pricing/model-state.ts)
);

-- Published for good: the market level of a game at the close of a day, and its variance.
create table market_days (
  game     text not null,
  day      int not null,
  level    float8 not null,
  variance float8 not null,
  primary key (game, day)
);

-- The 80 % quantile of each calibration stratum at the close of a day.
create table calibration_days (
  day         int primary key,
  quantiles80 float8[] not null
);

-- Grade curves, in force from the close of a day until the next refit.
create table curves (
  game  text not null,
  set_id int not null,                         -- 0: the game's own curve; else what a set adds to it
  day   int not null,
  terms jsonb not null,
  primary key (game, set_id, day)
);

-- What the first level of a new card of a set begins at.
create table set_levels (
  set_id    int primary key references sets,
  cards     int not null,
  level_sum float8 not null
);

-- One row for every card that ever sold; the bytes are laid out in src/pricing/card-bytes.ts.
create table card_states (
  item_id uuid primary key references items,
  state   bytea not null
);

-- What each day with a sale left of its card, gathered by 32 days: src/pricing/touch-bytes.ts. Only ever appended to.
create table card_touches (
  item_id uuid not null references items,
  period  int not null,                        -- day / 32
  touches bytea not null,
  primary key (item_id, period)
);

-- Doubles do not compress: trying costs more than it saves.
alter table card_states alter column state set storage external;
alter table card_touches alter column touches set storage external;

-- Only what is not plain: a sale that is not here was taken in on its day with a weight of at least 0.5.
create table sale_uses (
  sale_id    bigint primary key references sales,
  weight     real,                             -- null for a sale that was voided before it was taken in
  closed_day int,                              -- the close that took it in
  voided_day int                               -- the first close without it
);
