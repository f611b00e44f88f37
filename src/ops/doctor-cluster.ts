import type { Db } from '../db/client.ts';
import { clusterNodes } from '../db/distribute/distribute.ts';
import { type Finding, ok } from './finding.ts';

/** Over which nodes the tables are distributed; nothing where they are not. */
export async function cluster(db: Db): Promise<Finding[]> {
  const nodes = await db.session(async (session) => (session.isCluster ? await clusterNodes(session) : []));
  return nodes.length === 0 ? [] : [ok(`the tables are distributed over ${nodes.join(', ')}`)];
}
