import { createServer } from 'node:http';
import type { Core, Metrics } from '../../http/context.ts';

/** Serves `/metrics` on a port of its own, which no proxy passes on. `close` ends it. */
export async function serveMetrics({ config, log }: Core, metrics: Metrics): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        log.error(error, 'metrics cannot be read');
        response.writeHead(503).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.metricsPort, config.host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
