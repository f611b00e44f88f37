import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const closings = new WeakMap<FastifyInstance, AbortSignal>();

/** Aborts when the server stops taking requests and waits for those that are under way. */
export function closingOf(app: FastifyInstance): AbortSignal {
  const known = closings.get(app);
  if (known !== undefined) return known;
  const controller = new AbortController();
  // One listener a stream.
  setMaxListeners(0, controller.signal);
  app.addHook('preClose', async () => controller.abort());
  closings.set(app, controller.signal);
  return controller.signal;
}

/** Aborts when the caller hangs up, or the server is about to. */
export function goneOf(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    closing.removeEventListener('abort', leave);
    controller.abort();
  };
  response.once('close', leave);
  closing.addEventListener('abort', leave);
  if (response.destroyed || closing.aborted) leave();
  return controller.signal;
}
