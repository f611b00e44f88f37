import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a simulated service answers: JSON, after some time, as services do. */
export type SimulatedReply = { body: object; afterMs: number };

export type SimulatedServer = {
  /** `http://127.0.0.1:port` */
  origin: string;
  close(): Promise<void>;
};

/** A service of the demo, on a port of the loopback that is free. Null: 404. */
export async function simulatedServer(reply: (url: URL) => SimulatedReply | null): Promise<SimulatedServer> {
  const server = createServer((request, response) => {
    const answer = reply(new URL(request.url!, 'http://loopback'));
    const timer = setTimeout(() => {
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ simulated: true, ...answer?.body }));
    }, answer?.afterMs);
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
