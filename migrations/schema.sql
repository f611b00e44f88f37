-- Written from the migrations, not by hand: UPDATE_SCHEMA=1 npx vitest run test/db/schema.test.ts

CREATE OR REPLACE FUNCTION public.note_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into item_withdrawals (item_id, withdrawn) values (new.id, new.removed_at is not null);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.reject_index_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$
;

CREATE OR REPLACE FUNCTION public.reject_unlogged_level()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.slug, new.day, new.methodology_version) is distinct from (old.slug, old.day, old.methodology_version)
    or not exists (select from index_corrections c
      where c.slug = old.slug and c.day = old.day and c.old_level = old.level and c.new_level = new.level) then
    raise exception 'index_levels is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;

create sequence vector_versions as bigint;

create table api_keys (
  id text not null,
  secret_hash bytea not null,
  label text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  previous_hash bytea,
  previous_until timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id)
);

create table api_keys_version (
  version bigint not null
);

create table backups (
  id bigint not null generated always as identity,
  place text not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  bytes bigint,
  problem text,
  constraint backups_pkey PRIMARY KEY (id)
);

create table calibration_days (
  day integer not null,
  quantiles80 double precision[] not null,
  factors double precision[],
  constraint calibration_days_pkey PRIMARY KEY (day)
);

create table card_snapshots (
  item_id uuid not null,
  period integer not null,
  snapshots bytea not null,
  constraint card_snapshots_pkey PRIMARY KEY (item_id, period)
);

create table card_states (
  item_id uuid not null,
  state bytea not null,
  constraint card_states_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint card_states_pkey PRIMARY KEY (item_id)
);

create table cert_changes (
  id bigint not null generated always as identity,
  company text not null,
  cert_key text not null,
  at timestamp with time zone not null default now(),
  field text not null,
  old text not null,
  new text not null,
  origin text not null,
  constraint cert_changes_company_cert_key_fkey FOREIGN KEY (company, cert_key) REFERENCES certs(company, cert_key),
  constraint cert_changes_field_check CHECK ((field = ANY (ARRAY['card'::text, 'grade'::text, 'label'::text, 'state'::text]))),
  constraint cert_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX cert_changes_by_cert ON public.cert_changes USING btree (company, cert_key);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.cert_changes FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table cert_misses (
  company text not null,
  cert_key text not null,
  reason text not null,
  warning text,
  known_until timestamp with time zone not null,
  constraint cert_misses_pkey PRIMARY KEY (company, cert_key)
);
CREATE INDEX cert_misses_by_end ON public.cert_misses USING btree (known_until);

create table certs (
  company text not null,
  cert_key text not null,
  cert_number text not null,
  item_id uuid,
  grade_key text,
  grade_label text,
  label text,
  game text,
  state text not null default 'active'::text,
  year smallint,
  image_front text,
  image_back text,
  origin text not null,
  import_id integer,
  updated_at timestamp with time zone not null default now(),
  spec_id text,
  population_at_grade integer,
  population_higher integer,
  population_day integer,
  constraint certs_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint certs_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint certs_pkey PRIMARY KEY (company, cert_key),
  constraint certs_state_check CHECK ((state = ANY (ARRAY['active'::text, 'deactivated'::text])))
);
CREATE INDEX certs_by_item ON public.certs USING btree (item_id, grade_key) WHERE (item_id IS NOT NULL);

create table crawl_states (
  item_id uuid not null,
  grade_key text not null,
  value_usd_cents bigint not null default 0,
  value_class smallint not null generated always as ((floor((((2)::double precision * ln((GREATEST(value_usd_cents, (1)::bigint))::double precision)) / ln((2)::double precision))))::smallint) stored,
  crawled_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  taken_until timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  rows_found integer not null default 0,
  problems jsonb not null default '[]'::jsonb,
  constraint crawl_states_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint crawl_states_pkey PRIMARY KEY (item_id, grade_key)
);
CREATE INDEX crawl_states_by_priority ON public.crawl_states USING btree (value_class, crawled_at);

create table csv_layouts (
  name text not null,
  layout jsonb not null,
  saved_at timestamp with time zone not null default now(),
  constraint csv_layouts_pkey PRIMARY KEY (name)
);

create table curves (
  game text not null,
  set_id integer not null,
  day integer not null,
  terms jsonb not null,
  constraint curves_pkey PRIMARY KEY (game, set_id, day)
);

create table decisions (
  id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  facts jsonb not null default '{}'::jsonb,
  decided_at timestamp with time zone not null default now(),
  decided_by text not null,
  why text,
  taken_back_at timestamp with time zone,
  taken_back_by text,
  taken_back_why text,
  constraint decisions_check CHECK (((taken_back_at IS NULL) = (taken_back_by IS NULL))),
  constraint decisions_kind_check CHECK ((kind = ANY (ARRAY['undo_import'::text, 'match_sale'::text, 'drop_sale'::text, 'application'::text, 'report'::text, 'pause_service'::text, 'identity_suspect'::text, 'title_alias'::text]))),
  constraint decisions_pkey PRIMARY KEY (id)
);
CREATE INDEX decisions_by_time ON public.decisions USING btree (decided_at DESC, id DESC);
CREATE INDEX decisions_in_force ON public.decisions USING btree (kind, subject) WHERE (taken_back_at IS NULL);

create table fx_rates (
  currency text not null,
  day integer not null,
  usd_per_unit double precision not null,
  constraint fx_rates_pkey PRIMARY KEY (currency, day),
  constraint fx_rates_usd_per_unit_check CHECK ((usd_per_unit > (0)::double precision))
);

create table identity_suspect_series (
  suspect_id bigint not null,
  place integer not null,
  item_id uuid not null,
  grade_key text,
  withheld boolean not null default false,
  constraint identity_suspect_series_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint identity_suspect_series_pkey PRIMARY KEY (suspect_id, place),
  constraint identity_suspect_series_suspect_id_fkey FOREIGN KEY (suspect_id) REFERENCES identity_suspects(id) ON DELETE CASCADE
);
CREATE INDEX identity_suspect_series_withheld ON public.identity_suspect_series USING btree (item_id) WHERE withheld;

create table identity_suspects (
  id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  game text not null,
  score double precision not null,
  evidence jsonb not null,
  found_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  constraint identity_suspects_kind_check CHECK ((kind = ANY (ARRAY['shared_id'::text, 'swapped_siblings'::text, 'off_curve'::text, 'grade_inversion'::text, 'source_factor'::text, 'shifted_set'::text]))),
  constraint identity_suspects_kind_subject_key UNIQUE (kind, subject),
  constraint identity_suspects_pkey PRIMARY KEY (id),
  constraint identity_suspects_score_check CHECK (((score >= (0)::double precision) AND (score <= (1)::double precision)))
);

create table imports (
  id integer not null generated always as identity,
  kind text not null,
  format text not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  counts jsonb not null default '{}'::jsonb,
  files text[] not null default '{}'::text[],
  undone_by bigint,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES decisions(id)
);

create table index_corrections (
  slug text not null,
  day integer not null,
  old_level double precision not null,
  new_level double precision not null,
  reason text not null,
  corrected_at timestamp with time zone not null default now(),
  constraint index_corrections_pkey PRIMARY KEY (slug, day, corrected_at),
  constraint index_corrections_slug_fkey FOREIGN KEY (slug) REFERENCES indices(slug)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.index_corrections FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table index_days (
  slug text not null,
  day integer not null,
  turnover_usd_cents bigint not null,
  sale_count integer not null,
  constraint index_days_pkey PRIMARY KEY (slug, day),
  constraint index_days_slug_fkey FOREIGN KEY (slug) REFERENCES indices(slug)
);

create table index_levels (
  slug text not null,
  day integer not null,
  level double precision not null,
  divisor double precision not null,
  methodology_version text not null,
  constraint index_levels_pkey PRIMARY KEY (slug, day),
  constraint index_levels_slug_fkey FOREIGN KEY (slug) REFERENCES indices(slug)
);
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON public.index_levels FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();
CREATE TRIGGER only_corrected BEFORE UPDATE ON public.index_levels FOR EACH ROW EXECUTE FUNCTION reject_unlogged_level();

create table index_members (
  slug text not null,
  rotation_day integer not null,
  rank integer not null,
  item_id uuid not null,
  grade_key text not null,
  weight double precision not null,
  price_usd double precision not null,
  turnover90_usd_cents bigint not null,
  constraint index_members_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint index_members_pkey PRIMARY KEY (slug, rotation_day, rank),
  constraint index_members_slug_rotation_day_fkey FOREIGN KEY (slug, rotation_day) REFERENCES index_rotations(slug, day),
  constraint index_members_slug_rotation_day_item_id_key UNIQUE (slug, rotation_day, item_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.index_members FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table index_removals (
  slug text not null,
  rotation_day integer not null,
  item_id uuid not null,
  day integer not null,
  price_usd double precision not null,
  divisor_before double precision not null,
  divisor_after double precision not null,
  constraint index_removals_pkey PRIMARY KEY (slug, rotation_day, item_id),
  constraint index_removals_slug_rotation_day_item_id_fkey FOREIGN KEY (slug, rotation_day, item_id) REFERENCES index_members(slug, rotation_day, item_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.index_removals FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table index_rotations (
  slug text not null,
  day integer not null,
  eligible integer not null,
  skipped boolean not null,
  level double precision,
  divisor_before double precision,
  divisor_after double precision,
  methodology_version text not null,
  constraint index_rotations_pkey PRIMARY KEY (slug, day),
  constraint index_rotations_slug_fkey FOREIGN KEY (slug) REFERENCES indices(slug)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.index_rotations FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table indices (
  slug text not null,
  game text not null,
  label text not null,
  definition jsonb not null default '{}'::jsonb,
  base_day integer,
  methodology_version text not null,
  constraint indices_pkey PRIMARY KEY (slug)
);

create table intake_idempotency (
  fingerprint bytea not null,
  payload_hash bytea not null,
  submission_id text not null,
  answered_at timestamp with time zone not null,
  constraint intake_idempotency_pkey PRIMARY KEY (fingerprint),
  constraint intake_idempotency_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE
);
CREATE INDEX intake_idempotency_by_submission ON public.intake_idempotency USING btree (submission_id);
CREATE INDEX intake_idempotency_by_time ON public.intake_idempotency USING btree (answered_at);

create table item_images (
  item_id uuid not null,
  hash text not null,
  width integer not null,
  height integer not null,
  imported_at timestamp with time zone not null default now(),
  source_image_url text,
  source_image_url_thumb text,
  constraint item_images_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint item_images_pkey PRIMARY KEY (item_id)
);
CREATE INDEX item_images_by_hash ON public.item_images USING btree (hash);

create table item_sources (
  space text not null,
  source_id text not null,
  item_id uuid not null,
  import_id integer,
  removed_at timestamp with time zone,
  external_ids text[],
  constraint item_sources_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint item_sources_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint item_sources_pkey PRIMARY KEY (space, source_id)
);
CREATE INDEX item_sources_by_external_id ON public.item_sources USING gin (external_ids) WITH (fastupdate=off) WHERE (external_ids IS NOT NULL);
CREATE INDEX item_sources_by_item ON public.item_sources USING btree (item_id);

create table item_tags (
  tag_id integer not null,
  item_id uuid not null,
  origin text not null,
  constraint item_tags_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint item_tags_pkey PRIMARY KEY (tag_id, item_id, origin),
  constraint item_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id)
);
CREATE INDEX item_tags_by_item ON public.item_tags USING btree (item_id);

create table item_vectors (
  item_id uuid not null,
  model text not null,
  image_hash text,
  vector bytea,
  digest bigint,
  version bigint not null default nextval('vector_versions'::regclass),
  updated_at timestamp with time zone not null default now(),
  constraint item_vectors_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint item_vectors_pkey PRIMARY KEY (item_id, model)
);
CREATE INDEX item_vectors_version ON public.item_vectors USING btree (model, version) INCLUDE (item_id, digest);

create table item_withdrawals (
  id bigint not null generated always as identity,
  item_id uuid not null,
  withdrawn boolean not null,
  noted_at timestamp with time zone not null default now(),
  close_day integer,
  constraint item_withdrawals_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint item_withdrawals_pkey PRIMARY KEY (id)
);
CREATE INDEX item_withdrawals_by_item ON public.item_withdrawals USING btree (item_id, close_day);
CREATE INDEX item_withdrawals_unassigned ON public.item_withdrawals USING btree (id) WHERE (close_day IS NULL);
CREATE TRIGGER append_only BEFORE UPDATE ON public.item_withdrawals FOR EACH ROW WHEN (((old.close_day IS NOT NULL) OR ((((old.id IS DISTINCT FROM new.id) OR (old.item_id IS DISTINCT FROM new.item_id)) OR (old.withdrawn IS DISTINCT FROM new.withdrawn)) OR (old.noted_at IS DISTINCT FROM new.noted_at)))) EXECUTE FUNCTION reject_index_change();
CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON public.item_withdrawals FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table items (
  id uuid not null,
  game text not null,
  set_id integer not null,
  number text,
  name text not null,
  printed_name text,
  language text not null,
  variation text,
  rarity text,
  year smallint,
  image_url text,
  image_url_thumb text,
  facts jsonb not null default '{}'::jsonb,
  stem text not null,
  id8 text not null generated always as (substr((id)::text, 1, 8)) stored,
  identity_key text not null,
  source text not null default 'mintmark'::text,
  upstream_item_id text,
  removed_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  number_key text generated always as (COALESCE(regexp_replace(regexp_replace(lower(number), '([0-9]+)'::text, '00000000\1'::text, 'g'::text), '[0-9]+([0-9]{8})'::text, '\1'::text, 'g'::text), '~'::text)) stored,
  constraint items_identity_key_key UNIQUE (identity_key),
  constraint items_pkey PRIMARY KEY (id),
  constraint items_set_id_fkey FOREIGN KEY (set_id) REFERENCES sets(id),
  constraint items_upstream_item_id_key UNIQUE (upstream_item_id)
);
CREATE INDEX items_by_id8 ON public.items USING btree (set_id, id8);
CREATE INDEX items_by_stem ON public.items USING btree (set_id, stem);
CREATE INDEX items_in_set ON public.items USING btree (set_id, number_key, name COLLATE "C") WHERE (removed_at IS NULL);
CREATE INDEX items_live ON public.items USING btree (game, set_id) WHERE (removed_at IS NULL);
CREATE TRIGGER note_withdrawal AFTER UPDATE OF removed_at ON public.items FOR EACH ROW WHEN (((old.removed_at IS NULL) <> (new.removed_at IS NULL))) EXECUTE FUNCTION note_withdrawal();

create table key_pepper (
  one_row boolean not null default true,
  fingerprint bytea not null,
  noted_at timestamp with time zone not null default now(),
  constraint key_pepper_one_row_check CHECK (one_row),
  constraint key_pepper_pkey PRIMARY KEY (one_row)
);

create table listings (
  id bigint not null generated always as identity,
  source text not null,
  source_listing_id text not null,
  item_id uuid not null,
  company text not null,
  grade text not null,
  grade_key text not null,
  price_usd_cents bigint not null,
  price_minor bigint not null,
  currency text not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  ended_at timestamp with time zone,
  url text,
  title text,
  import_id integer not null,
  constraint listings_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint listings_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint listings_pkey PRIMARY KEY (id),
  constraint listings_source_fkey FOREIGN KEY (source) REFERENCES sources(id),
  constraint listings_source_source_listing_id_key UNIQUE (source, source_listing_id)
);
CREATE INDEX listings_by_item ON public.listings USING btree (item_id, grade_key, last_seen);

create table market_days (
  game text not null,
  day integer not null,
  level double precision not null,
  variance double precision not null,
  constraint market_days_pkey PRIMARY KEY (game, day)
);

create table migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table model_state (
  one_row boolean not null default true,
  version text not null,
  closed_day integer not null,
  seen_sale_id bigint not null,
  state jsonb not null,
  closed_at timestamp with time zone,
  constraint model_state_one_row_check CHECK (one_row),
  constraint model_state_pkey PRIMARY KEY (one_row)
);

create table models (
  name text not null,
  sha256 text not null,
  input_name text not null,
  output_name text not null,
  conformance bytea not null,
  added_at timestamp with time zone not null default now(),
  constraint models_pkey PRIMARY KEY (name)
);

create table populations (
  item_id uuid not null,
  company text not null,
  day integer not null,
  grade text not null,
  count integer not null,
  source text not null,
  import_id integer not null,
  constraint populations_count_check CHECK ((count >= 0)),
  constraint populations_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint populations_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint populations_pkey PRIMARY KEY (item_id, company, day, grade)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.populations FOR EACH STATEMENT EXECUTE FUNCTION reject_index_change();

create table price_versions (
  version text not null,
  until_day integer not null,
  run integer not null default 1,
  from_day integer,
  first_days jsonb,
  constraint price_versions_pkey PRIMARY KEY (version, run)
);

create table quota_budgets (
  policy text not null,
  subject text not null,
  window_day integer not null,
  taken integer not null,
  granted integer not null,
  constraint quota_budgets_pkey PRIMARY KEY (policy, subject, window_day)
);

create table record_days (
  day integer not null,
  version text not null,
  base boolean not null,
  parameters bytea not null,
  root bytea not null,
  lines integer not null,
  bytes bigint not null,
  digest bytea not null,
  leaves bytea not null,
  closed_at timestamp with time zone not null,
  signature bytea,
  constraint record_days_parameters_fkey FOREIGN KEY (parameters) REFERENCES record_parameters(hash),
  constraint record_days_pkey PRIMARY KEY (day)
);

create table record_keys (
  number integer not null,
  name text not null,
  public_key bytea not null,
  day integer,
  signature bytea,
  constraint record_keys_pkey PRIMARY KEY (number)
);

create table record_parameters (
  hash bytea not null,
  parameters text not null,
  constraint record_parameters_pkey PRIMARY KEY (hash)
);

create table rejected_rows (
  digest bytea not null,
  import_id integer not null,
  line integer not null,
  reason text not null,
  message text not null,
  raw text not null,
  file integer,
  constraint rejected_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint rejected_rows_pkey PRIMARY KEY (digest)
);
CREATE INDEX rejected_rows_by_import ON public.rejected_rows USING btree (import_id, line);

create table sale_scores (
  sale_id bigint not null,
  day integer not null,
  own_sales integer not null,
  age_days integer not null,
  model real not null,
  last_sale real not null,
  mean_of_3 real not null,
  median_of_5 real not null,
  median_30_days real not null,
  ewma real not null,
  price_bucket smallint not null,
  inside smallint not null,
  game text not null,
  company text not null,
  constraint sale_scores_pkey PRIMARY KEY (day, sale_id)
);

create table sale_uses (
  sale_id bigint not null,
  weight real,
  closed_day integer,
  voided_day integer,
  constraint sale_uses_pkey PRIMARY KEY (sale_id),
  constraint sale_uses_sale_id_fkey FOREIGN KEY (sale_id) REFERENCES sales(id)
);
CREATE INDEX sale_uses_by_close ON public.sale_uses USING btree (closed_day) WHERE (closed_day IS NOT NULL);
CREATE INDEX sale_uses_by_void ON public.sale_uses USING btree (voided_day) WHERE (voided_day IS NOT NULL);

create table sale_voids (
  sale_id bigint not null,
  reason text not null,
  superseded_by bigint,
  known_at timestamp with time zone not null,
  known_day integer not null,
  import_id integer not null,
  decision_id bigint,
  constraint sale_voids_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES decisions(id),
  constraint sale_voids_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint sale_voids_pkey PRIMARY KEY (sale_id),
  constraint sale_voids_sale_id_fkey FOREIGN KEY (sale_id) REFERENCES sales(id),
  constraint sale_voids_superseded_by_fkey FOREIGN KEY (superseded_by) REFERENCES sales(id)
);
CREATE INDEX sale_voids_by_import ON public.sale_voids USING btree (import_id);
CREATE INDEX sale_voids_by_time ON public.sale_voids USING btree (known_at, sale_id);
CREATE INDEX sale_voids_by_winner ON public.sale_voids USING btree (superseded_by) WHERE (reason = 'duplicate'::text);

create table sales (
  id bigint not null generated always as identity,
  source text not null,
  source_sale_id text not null,
  revision smallint not null default 0,
  item_id uuid not null,
  company text not null,
  grade text not null,
  grade_key text,
  sold_at timestamp with time zone not null,
  sold_day integer not null,
  known_at timestamp with time zone not null,
  known_day integer not null,
  price_usd_cents bigint,
  price_minor bigint not null,
  currency text not null,
  usd_per_unit double precision,
  sale_type text not null,
  quantity integer not null default 1,
  cert text,
  url text,
  title text,
  detail text,
  rejection text,
  duplicate_of bigint,
  import_id integer not null,
  line integer not null,
  file integer,
  origin_import_id integer,
  decision_id bigint,
  restores bigint,
  restored_at timestamp with time zone,
  constraint sales_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES decisions(id),
  constraint sales_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint sales_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id),
  constraint sales_origin_import_id_fkey FOREIGN KEY (origin_import_id) REFERENCES imports(id),
  constraint sales_pkey PRIMARY KEY (id),
  constraint sales_restores_fkey FOREIGN KEY (restores) REFERENCES sales(id),
  constraint sales_source_fkey FOREIGN KEY (source) REFERENCES sources(id),
  constraint sales_source_source_sale_id_revision_key UNIQUE (source, source_sale_id, revision)
);
CREATE INDEX sales_by_cert ON public.sales USING btree (cert) WHERE (cert IS NOT NULL);
CREATE INDEX sales_by_import ON public.sales USING brin (import_id) WITH (pages_per_range='32');
CREATE INDEX sales_by_known_day ON public.sales USING btree (known_day);
CREATE INDEX sales_by_origin ON public.sales USING btree (origin_import_id) WHERE (origin_import_id IS NOT NULL);
CREATE INDEX sales_by_winner ON public.sales USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);
CREATE INDEX sales_newest ON public.sales USING btree (sold_at DESC, id DESC);
CREATE INDEX sales_of_item_by_due_day ON public.sales USING btree (item_id, GREATEST(known_day, sold_day));
CREATE INDEX sales_of_item_by_id ON public.sales USING btree (item_id, id);
CREATE INDEX sales_of_series ON public.sales USING btree (item_id, grade_key, sold_day, sold_at, id);
CREATE INDEX sales_rejected ON public.sales USING btree (import_id, line) WHERE (rejection IS NOT NULL);
CREATE INDEX sales_restored ON public.sales USING btree (restored_at) WHERE (restores IS NOT NULL);

create table service_clients (
  id text not null,
  day integer not null,
  calls integer not null,
  budget_per_day integer,
  faults integer not null default 0,
  open_until timestamp with time zone,
  wait_until timestamp with time zone,
  last_success_at timestamp with time zone,
  last_fault_at timestamp with time zone,
  last_fault_reason text,
  latencies_ms integer[] not null default '{}'::integer[],
  paused boolean not null default false,
  constraint service_clients_pkey PRIMARY KEY (id)
);

create table set_levels (
  set_id integer not null,
  cards integer not null,
  level_sum double precision not null,
  constraint set_levels_pkey PRIMARY KEY (set_id),
  constraint set_levels_set_id_fkey FOREIGN KEY (set_id) REFERENCES sets(id)
);

create table set_sources (
  game text not null,
  source text not null,
  source_key text not null,
  set_id integer not null,
  constraint set_sources_pkey PRIMARY KEY (game, source, source_key),
  constraint set_sources_set_id_fkey FOREIGN KEY (set_id) REFERENCES sets(id)
);

create table sets (
  id integer not null generated always as identity,
  game text not null,
  segment text not null,
  name text not null,
  code text,
  year smallint,
  language text,
  identity text not null,
  constraint sets_game_segment_key UNIQUE (game, segment),
  constraint sets_identity_key UNIQUE (identity),
  constraint sets_pkey PRIMARY KEY (id)
);

create table sources (
  id text not null,
  display_name text not null,
  bucket text not null default 'public'::text,
  category text not null default 'public'::text,
  url text,
  aggregates text[] not null default '{}'::text[],
  constraint sources_bucket_check CHECK ((bucket = ANY (ARRAY['public'::text, 'partner'::text]))),
  constraint sources_category_check CHECK ((category = ANY (ARRAY['public'::text, 'blockchain'::text, 'partner'::text, 'internal'::text]))),
  constraint sources_pkey PRIMARY KEY (id)
);

create table submissions (
  id text not null,
  kind text not null,
  fields jsonb not null,
  content_hash bytea not null,
  sent_by_key text,
  received_at timestamp with time zone not null,
  state text not null default 'open'::text,
  decided_at timestamp with time zone,
  decided_by text,
  reason text,
  key_id text,
  correction text,
  constraint submissions_check CHECK ((((state = 'open'::text) = (decided_at IS NULL)) AND ((state = 'open'::text) = (decided_by IS NULL)))),
  constraint submissions_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  constraint submissions_kind_check CHECK ((kind = ANY (ARRAY['application'::text, 'report'::text]))),
  constraint submissions_pkey PRIMARY KEY (id),
  constraint submissions_sent_by_key_fkey FOREIGN KEY (sent_by_key) REFERENCES api_keys(id),
  constraint submissions_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'rejected'::text])))
);
CREATE INDEX submissions_by_content ON public.submissions USING btree (content_hash, received_at);
CREATE INDEX submissions_by_decision ON public.submissions USING btree (decided_at);
CREATE INDEX submissions_by_time ON public.submissions USING btree (received_at);
CREATE INDEX submissions_corrections ON public.submissions USING btree (decided_at) WHERE ((kind = 'report'::text) AND (state = 'accepted'::text));
CREATE INDEX submissions_open ON public.submissions USING btree (received_at) WHERE (state = 'open'::text);

create table tags (
  id integer not null generated always as identity,
  kind text not null,
  slug text not null,
  name text not null,
  game text,
  aliases text[] not null default '{}'::text[],
  active boolean not null default true,
  constraint tags_kind_slug_game_key UNIQUE NULLS NOT DISTINCT (kind, slug, game),
  constraint tags_pkey PRIMARY KEY (id)
);

create table valuation_events (
  run_id bigint not null,
  place integer not null,
  name text not null,
  data text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint valuation_events_name_check CHECK ((name = ANY (ARRAY['progress'::text, 'result'::text]))),
  constraint valuation_events_pkey PRIMARY KEY (run_id, place)
);

create table vector_spaces (
  model text not null,
  vectors integer not null,
  impostor_scores real[] not null,
  impostor_margin real not null,
  measured_at timestamp with time zone not null default now(),
  constraint vector_spaces_pkey PRIMARY KEY (model)
);

create table waiting_sales (
  source text not null,
  source_sale_id text not null,
  sale jsonb not null,
  reason text not null,
  due_day integer,
  import_id integer not null,
  line integer not null,
  file integer,
  dropped_by bigint,
  constraint waiting_sales_dropped_by_fkey FOREIGN KEY (dropped_by) REFERENCES decisions(id),
  constraint waiting_sales_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint waiting_sales_pkey PRIMARY KEY (source, source_sale_id),
  constraint waiting_sales_source_fkey FOREIGN KEY (source) REFERENCES sources(id)
);
CREATE INDEX waiting_sales_by_import ON public.waiting_sales USING btree (import_id);
CREATE INDEX waiting_sales_dropped ON public.waiting_sales USING btree (source, source_sale_id) WHERE (dropped_by IS NOT NULL);

create table watched_files (
  source text not null,
  digest bytea not null,
  name text not null,
  imported_at timestamp with time zone not null,
  problem text,
  constraint watched_files_pkey PRIMARY KEY (source, digest)
);
