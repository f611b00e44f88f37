import { type Connections, readConnections } from '../../connections.ts';
import type { Sql } from '../../db/client.ts';
import { demoGraderConnection, startDemoGrader } from './grader-server.ts';
import { demoMarketConnection, startDemoMarket } from './market-server.ts';

export type DemoServices = {
  /** As an operator's file would have them. */
  connections: Connections;
  close(): Promise<void>;
};

/**
 * Starts the simulated grader and market inside this process, on the loopback, for a database with the demo in it. They
 * are called through the same adapters as an operator's own services; each name states that it is simulated.
 */
export async function startDemoServices(
  db: Sql,
  { baseUrl, clock }: { baseUrl: string; clock: () => number },
): Promise<DemoServices> {
  const [demo] = await db.query<{ today: number }>(
    `select (counts ->> 'today')::int as today from imports where kind = 'demo' order by id limit 1`,
  );
  const grader = await startDemoGrader(baseUrl);
  const market = await startDemoMarket({ endDay: demo!.today - 1, clock });
  const graders = [demoGraderConnection(grader.origin)];
  const sources = [demoMarketConnection(market.origin)];
  return {
    connections: readConnections(JSON.stringify({ graders, sources }), 'demo', {}),
    async close() {
      await Promise.all([grader.close(), market.close()]);
    },
  };
}
