import type { Session } from '../db/client.ts';

/**
 * On a cluster the sales of different cards are on different nodes, and what a batch compares is not on one. So a transaction
 * that has locked the ledger copies the sales that it may touch into temporary tables of the same names and keys, which hide
 * the others until `keepCopied` writes what was added. Elsewhere neither does anything.
 */
const TABLES = `
  create temp table sought_sales (source text, source_sale_id text);
  create temp table sales (like public.sales including defaults, primary key (id), unique (source, source_sale_id, revision));
  create temp table sale_voids (like public.sale_voids including defaults, primary key (sale_id));
  create index on pg_temp.sales (cert);
  create index on pg_temp.sales (item_id, grade_key, sold_day);
  create index on pg_temp.sales (duplicate_of)`;

/** Tables that are only read meanwhile, whole on each node: views of the copy here, which a statement can join with the above. */
const VIEWS = ['sources', 'items', 'imports', 'decisions', 'market_days'];

/** SQL: sales that may be the same as one of the copied ones, or were found to be. */
const RELATED = [
  'cert in (select cert from pg_temp.sales where cert is not null)',
  '(item_id, grade_key, price_minor, currency) in (select item_id, grade_key, price_minor, currency from pg_temp.sales)',
  'duplicate_of in (select id from pg_temp.sales)',
  'id in (select duplicate_of from pg_temp.sales)',
  `id in (select sale_id from public.sale_voids where superseded_by in (select id from pg_temp.sales) and reason = 'duplicate')`,
  'id in (select superseded_by from public.sale_voids where sale_id in (select id from pg_temp.sales))',
];

/** SQL: the same of the rows that an import has staged. */
const STAGED = [
  'cert in (select cert from staged_sales where cert is not null)',
  '(item_id, grade_key, price_minor, currency) in (select item_id, grade_key, price_minor, currency from staged_sales)',
];

/** The highest id of the ledger when a session began to copy. */
const copying = new WeakMap<Session, number>();

/** Copies the sales of `keys` (SQL: selects `source, source_sale_id`); `isStaged`: and those that staged rows may repeat. */
export async function copyKeys(
  session: Session,
  keys: string,
  values: readonly unknown[],
  isStaged = false,
): Promise<void> {
  if (!session.isCluster) return;
  await seek(session, keys, values);
  await copySought(session);
  if (isStaged) for (const where of STAGED) await copyWhere(session, where);
  await copyVoids(session);
}

/** Copies the sales of keys and, three times over, all that are related: what settling them may change. */
export async function copyAround(session: Session, keys: string, values: readonly unknown[]): Promise<void> {
  if (!session.isCluster) return;
  await seek(session, keys, values);
  for (let round = 0; round < 3; round++) {
    await copySought(session);
    for (const where of RELATED) await copyWhere(session, where);
    await session.query('insert into sought_sales select source, source_sale_id from pg_temp.sales');
  }
  await copySought(session);
  await copyVoids(session);
}

/** Writes what was added to the copy, and ends it. A sale that the ledger has already fails on `sale_keys`. */
export async function keepCopied(session: Session): Promise<void> {
  const above = copying.get(session);
  if (above === undefined) return;
  copying.delete(session);
  const added = `from pg_temp.sales where id > ${above}`;
  await session.query(
    `insert into sale_keys (source, source_sale_id, revision, id) select source, source_sale_id, revision, id ${added}`,
  );
  await session.query(`insert into public.sales select * ${added}`);
  await session.query(`insert into revised_sales select * ${added} and revision > 0`);
  await session.query(
    'insert into public.sale_voids select * from pg_temp.sale_voids on conflict (sale_id) do nothing',
  );
  await session.query(`drop view ${VIEWS.join(', ')}`);
  await session.query('drop table pg_temp.sales, pg_temp.sale_voids, pg_temp.sought_sales');
  await session.query('set local citus.enable_ddl_propagation = on');
}

async function seek(session: Session, keys: string, values: readonly unknown[]): Promise<void> {
  if (copying.has(session)) {
    await session.query(`insert into sought_sales ${keys}`, values);
    return;
  }
  // Before the tables are hidden: keys may be those of an import.
  const found = await session.query<{ source: string; source_sale_id: string }>(
    `select source, source_sale_id from (${keys}) as k (source, source_sale_id)`,
    values,
  );
  const [top] = await session.query<{ id: number }>('select coalesce(max(id), 0) as id from sales');
  const shards = await session.query<{ name: string; shard: string }>(
    `select logicalrelid::text as name, logicalrelid || '_' || shardid as shard from pg_dist_shard
     where logicalrelid = any($1::regclass[])`,
    [VIEWS],
  );
  await session.query('set local citus.enable_ddl_propagation = off');
  await session.query(TABLES);
  // Of two parts, of which one is empty, since what is written to it would stay on this node.
  for (const { name, shard } of shards)
    await session.query(
      `create temp view ${name} as select * from public.${shard} union all select * from public.${shard} where false`,
    );
  copying.set(session, top!.id);
  await session.query('insert into sought_sales select * from unnest($1::text[], $2::text[])', [
    found.map(({ source }) => source),
    found.map(({ source_sale_id }) => source_sale_id),
  ]);
}

async function copySought(session: Session): Promise<void> {
  await copyWhere(session, '(source, source_sale_id) in (select source, source_sale_id from sought_sales)');
  await session.query('delete from sought_sales');
}

async function copyWhere(session: Session, where: string): Promise<void> {
  await session.query(`insert into pg_temp.sales select * from public.sales where ${where} on conflict do nothing`);
}

async function copyVoids(session: Session): Promise<void> {
  await session.query(
    `insert into pg_temp.sale_voids select * from public.sale_voids where sale_id in (select id from pg_temp.sales)
     on conflict do nothing`,
  );
}
