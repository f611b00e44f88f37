-- Slabs by cert number: what is registered, and what was looked for in vain.

create table certs (
  company     text not null,                    -- PSA | BGS | CGC; other graders as they are called (SGC, TAG)
  cert_key    text not null,                    -- the number without leading zeros: what is looked up
  cert_number text not null,                    -- as printed
  item_id     uuid references items,            -- null: which card it is was not told
  grade_key   text,                             -- null outside the priced scale
  grade_label text,                             -- as the grader wrote it
  label       text,                             -- the label's words
  game        text,                             -- when told, also one that is not tracked
  state       text not null default 'active' check (state in ('active', 'deactivated')),
  year        smallint,                         -- on the label
  image_front text,                             -- addresses of scans: ours are site-relative
  image_back  text,
  origin      text not null,                    -- name of the import file, or of the grader asked
  import_id   int references imports,
  updated_at  timestamptz not null default now(),
  primary key (company, cert_key)
);
create index certs_by_item on certs (item_id, grade_key) where item_id is not null;

-- Negative answers, so that a miss does not cost a valuation twice. Beside a registered cert: why it has no price yet.
create table cert_misses (
  company     text not null,
  cert_key    text not null,
  reason      text not null,
  warning     text,
  known_until timestamptz not null,
  primary key (company, cert_key)
);
create index cert_misses_by_end on cert_misses (known_until);
