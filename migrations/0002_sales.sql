-- The ledger of sales, live listings, and the rows that wait or were refused.

create table sources (
  id           text primary key,
  display_name text not null,
  bucket       text not null default 'public'  check (bucket in ('public', 'partner')),
  category     text not null default 'public'  check (category in ('public', 'blockchain', 'partner', 'internal')),
  url          text,
  aggregates   text[] not null default '{}'    -- ids of the sources whose sales it repeats
);

create table fx_rates (
  currency     text not null,
  day          int not null,                   -- UTC day number
  usd_per_unit float8 not null check (usd_per_unit > 0),
  primary key (currency, day)
);

-- Append-only: a correction is a row of the next revision, and a void of the one before.
create table sales (
  id              bigint generated always as identity primary key, -- rises in the order of commits
  source          text not null references sources,
  source_sale_id  text not null,
  revision        smallint not null default 0,
  item_id         uuid not null references items,
  company         text not null,
  grade           text not null,               -- as on the wire; free text where grade_key is null
  grade_key       text,                        -- slug token of a priced grade (psa-10, raw-A); null outside the scale
  sold_at         timestamptz not null,
  sold_day        int not null,
  known_at        timestamptz not null,
  known_day       int not null,
  price_usd_cents bigint,                      -- null when it could not be converted
  price_minor     bigint not null,
  currency        text not null,
  usd_per_unit    float8,
  sale_type       text not null,               -- auction (also where the file does not say) | fixed | offer | house_auction | shop
  quantity        int not null default 1,
  cert            text,
  url             text,
  title           text,
  detail          text,
  refusal         text,                        -- why it never enters the model; null when accepted
  duplicate_of    bigint,
  import_id       int not null references imports,
  line            int not null,
  unique (source, source_sale_id, revision)
);
create index sales_by_item on sales (item_id, grade_key, sold_day);
create index sales_by_known_day on sales (known_day);
create index sales_by_cert on sales (cert) where cert is not null;
create index sales_recent on sales (sold_at desc);

create table sale_voids (
  sale_id       bigint primary key references sales,
  reason        text not null,                 -- corrected | duplicate | voided | unpaid | relisted
  superseded_by bigint references sales,       -- the corrected revision, or the sale that it repeats
  known_at      timestamptz not null,
  known_day     int not null,
  import_id     int not null references imports
);

create table listings (
  id                bigint generated always as identity primary key,
  source            text not null references sources,
  source_listing_id text not null,
  item_id           uuid not null references items,
  company           text not null,
  grade             text not null,
  grade_key         text not null,
  price_usd_cents   bigint not null,
  price_minor       bigint not null,
  currency          text not null,
  first_seen        timestamptz not null,
  last_seen         timestamptz not null,
  ended_at          timestamptz,
  url               text,
  title             text,
  import_id         int not null references imports,
  unique (source, source_listing_id)
);
create index listings_by_item on listings (item_id, grade_key, last_seen);

-- Sales that cannot enter the ledger yet: the card is not told for sure, or the day of the sale has not come.
create table waiting_sales (
  source         text not null references sources,
  source_sale_id text not null,
  sale           jsonb not null,
  reason         text not null,                -- future, or why the card was not told
  due_day        int,                          -- null: waits for a better catalog or a person
  import_id      int not null references imports,
  line           int not null,
  primary key (source, source_sale_id)
);

-- Rows that are no sale or no listing at all (unreadable price, date, columns), kept as they came.
create table refused_rows (
  digest    bytea primary key,                 -- of kind, line and text: importing a file twice adds nothing
  import_id int not null references imports,
  line      int not null,
  reason    text not null,
  message   text not null,
  raw       text not null
);
