import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server takes no more requests and waits for those under way. */
    shutdownSignal: AbortSignal;
  }
}

/** Whether the process is about to stop: it still answers, and a load balancer is to send its requests elsewhere. */
export type Drain = { isOn: boolean };

export function shutdownSignalOf(app: FastifyInstance): AbortSignal {
  const controller = new AbortController();
  // One listener a stream.
  setMaxListeners(0, controller.signal);
  app.addHook('preClose', async () => controller.abort());
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
