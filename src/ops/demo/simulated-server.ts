import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a simulated service answers: JSON, after some time, as services do. */
export type SimulatedReply = { status?: number; body: unknown; afterMs: number };

export type SimulatedServer = {
  /** `http://127.0.0.1:port` */
  origin: string;
  close(): Promise<void>;
};

/** A service of the demo, on a port of the loopback that is free. */
export async function simulatedServer(reply: (url: URL) => SimulatedReply): Promise<SimulatedServer> {
  const server = createServer((request, response) => {
    const { status = 200, body, afterMs } = reply(new URL(request.url!, 'http://loopback'));
    const timer = setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }, afterMs);
    response.once('close', () => clearTimeout(timer));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
