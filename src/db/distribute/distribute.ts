import { type Db, inTransaction, type Session } from '../client.ts';
import { withLock } from '../locks.ts';
import { PLACEMENTS, type Placement } from './placement.ts';

/** Why the tables cannot be distributed: one sentence that says what to do. */
export class NotDistributable extends Error {
  override name = 'NotDistributable';
}

type OnTable = (table: string, placement: Placement) => void;

/** A key has to have the column by which its table is divided; that of a sale over all cards is in `sale_keys`. */
const KEYS = `
  alter table sales drop constraint sales_pkey, drop constraint sales_source_source_sale_id_revision_key, add primary key (item_id, id);
  create index sales_by_source_id on sales (source, source_sale_id, revision);
  create index sales_by_id on sales (id)`;

/**
 * Tables of a cluster alone. `sale_keys` fails whatever records a sale twice, and `revised_sales` has the sales that replace
 * another one, few, on each node: the one that they replace may be of another card.
 */
const OWN_TABLES = `
  create table sale_keys (source text not null, source_sale_id text not null, revision smallint not null, id bigint not null,
    primary key (source_sale_id, source, revision));
  select create_distributed_table('sale_keys', 'source_sale_id', colocate_with => 'none');
  insert into sale_keys (source, source_sale_id, revision, id) select source, source_sale_id, revision, id from sales;
  create table revised_sales (like sales including defaults, primary key (id));
  create index on revised_sales (source, source_sale_id, revision);
  create index on revised_sales (item_id);
  select create_reference_table('revised_sales');
  insert into revised_sales select * from sales where revision > 0`;

/** Each node has a copy of `items` whose trigger runs there; what it notes is on the coordinator. */
const NOTE_WITHDRAWAL = `create or replace function note_withdrawal() returns trigger language plpgsql as $function$
begin
  if to_regclass('public.item_withdrawals') is not null then
    insert into item_withdrawals (item_id, withdrawn) values (new.id, new.removed_at is not null);
  end if;
  return null;
end $function$`;

/**
 * Distributes the tables of a migrated database over the nodes that its Citus extension knows, in one transaction: what fails
 * changes nothing. `onTable` is called as each table begins.
 * @returns the nodes, as `host:port`
 * @throws NotDistributable
 */
export async function distribute(db: Db, onTable: OnTable = () => {}): Promise<string[]> {
  return await db.session((session) =>
    withLock(session, 'migrate', async () => {
      const nodes = await nodesToUse(session);
      await inTransaction(session, async () => {
        await session.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
        await dropForeignKeys(session);
        await replaceIdentities(session);
        await session.query(NOTE_WITHDRAWAL);
        await session.query(KEYS);
        await placeTables(session, onTable);
        await session.query(OWN_TABLES);
      });
      return nodes;
    }),
  );
}

/** Distributes the tables that are not yet, in the transaction of the caller: all of them, or those of a new migration. */
export async function placeTables(session: Session, onTable: OnTable = () => {}): Promise<void> {
  await session.query('set local citus.enable_unsafe_triggers = on');
  const rows = await session.query<{ name: string }>(
    `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid and (p.partmethod = 'h' or p.repmodel = 't'))`,
  );
  const missing = new Set(rows.map(({ name }) => name));
  for (const [table, placement] of Object.entries(PLACEMENTS)) {
    if (placement === 'coordinator' || !missing.has(table)) continue;
    onTable(table, placement);
    const together = placement === 'item_id' && table !== 'sales' ? 'sales' : 'none';
    await session.query(
      placement === 'everywhere'
        ? `select create_reference_table('${table}')`
        : `select create_distributed_table('${table}', '${placement}', colocate_with => '${together}')`,
    );
  }
}

/** The nodes of the cluster that a database is distributed over, as `host:port`. */
export async function clusterNodes(session: Session): Promise<string[]> {
  const rows = await session.query<{ node: string }>(
    `select node_name || ':' || node_port as node from citus_get_active_worker_nodes() order by 1`,
  );
  return rows.map(({ node }) => node);
}

async function nodesToUse(session: Session): Promise<string[]> {
  if (session.isCluster) throw new NotDistributable('The tables of this database are distributed already.');
  const extension = await session.query(`select 1 from pg_extension where extname = 'citus'`);
  if (extension.length === 0)
    throw new NotDistributable(
      'This database does not have the extension citus: point DATABASE_URL to the coordinator of a Citus cluster, and create it there.',
    );
  const nodes = await clusterNodes(session);
  if (nodes.length === 0) throw new NotDistributable('The cluster has no node: add some with citus_add_node.');
  const [other] = await session.query<{ name: string }>(
    `select application_name as name from pg_stat_activity where datname = current_database()
       and application_name like 'mintmark%' and application_name <> current_setting('application_name') limit 1`,
  );
  if (other !== undefined)
    throw new NotDistributable(`"${other.name}" uses the database: stop every process of Mintmark before.`);
  return nodes;
}

/** Foreign keys to a table that is divided or on the coordinator alone, unless both are there. */
async function dropForeignKeys(session: Session): Promise<void> {
  const keys = await session.query<{ table: string; name: string; target: string }>(
    `select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as target
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name, target } of keys) {
    const [from, to] = [PLACEMENTS[table], PLACEMENTS[target]];
    const stays = to === 'coordinator' ? from === to : to === 'everywhere' && from !== 'coordinator';
    if (!stays) await session.query(`alter table ${table} drop constraint ${name}`);
  }
}

/** A table with an identity column cannot be distributed: its next value comes from a sequence of the same name. */
async function replaceIdentities(session: Session): Promise<void> {
  const columns = await session.query<{ table: string; column: string; type: string }>(
    `select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`,
  );
  for (const { table, column, type } of columns) {
    if ((PLACEMENTS[table] ?? 'coordinator') === 'coordinator') continue;
    const sequence = `${table}_${column}_seq`;
    const [row] = await session.query<{ next: number }>(`select nextval('${sequence}') as next`);
    await session.query(`alter table ${table} alter column ${column} drop identity`);
    await session.query(`create sequence ${sequence} as ${type} start ${row!.next} owned by ${table}.${column}`);
    await session.query(`alter table ${table} alter column ${column} set default nextval('${sequence}')`);
  }
}
