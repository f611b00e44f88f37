import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { type OutboundOptions, openOutbound } from '../../../src/http/outbound/outbound.ts';

const open: (() => void)[] = [];

/** Closes all that listen: after each test. */
export function closeServers(): void {
  for (const close of open.splice(0)) close();
}

export async function listening<S extends Server | TlsServer | RawServer>(server: S): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export const serving = (listener: RequestListener) => listening(createServer(listener));

/** What a raw socket server sends, byte by byte as given. */
export function servingRaw(talk: (socket: Socket) => void): Promise<number> {
  return listening(
    createRawServer((socket) => {
      open.push(() => socket.destroy());
      socket.on('error', () => {});
      socket.once('data', () => talk(socket));
    }),
  );
}

export const local = { address: '127.0.0.1', family: 4 };

/** An outbound that may ask the named hosts at a port, all of which resolve to 127.0.0.1. */
export function to(port: number, options: Partial<OutboundOptions> = {}) {
  const allowedHosts = [`http://cards.test:${port}`];
  return openOutbound({ allowedHosts, privateHosts: allowedHosts, lookup: async () => [local], ...options });
}

export async function errorOf(answer: Promise<{ ok: boolean }>): Promise<string> {
  const value = (await answer) as { ok: boolean; error?: string };
  return value.ok ? 'answered' : String(value.error);
}
