import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Whether the process is about to stop: it still answers, and a load balancer is to send its requests elsewhere. */
export type Drain = { isOn: boolean };

/**
 * Each answer of a draining process closes its connection. Without that, a proxy that keeps connections busy would hold
 * the process until the grace time is over.
 */
export function closeWhileDraining(server: Server, drain: Drain): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (drain.isOn) response.shouldKeepAlive = false;
  });
}
