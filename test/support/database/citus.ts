import pg from 'pg';
import type { Db } from '../../../src/db/client.ts';
import { distribute } from '../../../src/db/distribute/distribute.ts';
import { statement, withDatabase } from './database-server.ts';

/** The nodes of the cluster whose coordinator is at `url`, the coordinator first. */
export async function nodesOf(url: string): Promise<pg.ClientConfig[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ host: string; port: number }>(
    'select node_name as host, node_port::int as port from citus_get_active_worker_nodes() order by 2',
  );
  await client.end();
  return [url, ...rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port }).href)].map(
    (connectionString) => ({ connectionString }),
  );
}

/** Makes the empty database `name` on each node, and a cluster of them. */
export async function joinNodes(nodes: readonly pg.ClientConfig[], name: string): Promise<void> {
  for (const node of nodes) await statement(withDatabase(node, name), 'create extension citus');
  const [host, ...workers] = nodes.map(({ connectionString }) => new URL(connectionString!));
  const coordinator = withDatabase(nodes[0]!, name);
  await statement(coordinator, `select citus_set_coordinator_host('${host!.hostname}', ${host!.port})`);
  for (const { hostname, port } of workers)
    await statement(coordinator, `select citus_add_node('${hostname}', ${port})`);
}

/** Distributes a migrated template, and keeps everyone out of it: what is connected to a database prevents a copy of it. */
export async function distributeTemplate(db: Db): Promise<void> {
  await distribute(db);
}

/** Ends what is connected to the template: each node keeps a process of Citus in every database that was used. */
export async function closeTemplate(nodes: readonly pg.ClientConfig[], name: string): Promise<void> {
  for (const node of nodes) {
    await statement(node, `alter database ${name} allow_connections false`);
    await statement(node, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  }
}
