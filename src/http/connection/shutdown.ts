import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server takes no more requests and waits for those under way. */
    shutdownSignal: AbortSignal;
  }
}

const SWEEP_MS = 100;

/** Whether the process is about to stop: it still answers, and a load balancer is to send its requests elsewhere. */
export type Drain = { isOn: boolean };

export function shutdownSignalOf(app: FastifyInstance): AbortSignal {
  const controller = new AbortController();
  // One listener a stream.
  setMaxListeners(0, controller.signal);
  app.addHook('preClose', async () => {
    controller.abort();
    if (!app.server.listening) return;
    // An answer under way keeps its connection, for which a server that closes would wait.
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
  return controller.signal;
}

/** Aborts when the client disconnects, or the server shuts down. */
export function disconnectSignalOf(response: ServerResponse, shutdownSignal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    shutdownSignal.removeEventListener('abort', leave);
    controller.abort();
  };
  response.once('close', leave);
  shutdownSignal.addEventListener('abort', leave);
  if (response.destroyed || shutdownSignal.aborted) leave();
  return controller.signal;
}
