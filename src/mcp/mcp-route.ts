import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { disconnectSignalOf } from '../http/connection/shutdown.ts';
import type { Core } from '../http/context.ts';
import { ownApi } from './own-api.ts';

/** `/mcp`: the tools over Streamable HTTP, without sessions: each request is answered by a server of its own. */
export type McpRoute = {
  path: string;
  /** Of one message: a list of 200 lines and a margin. */
  maxBodyBytes: number;
  /** The longest that one message is worked on. */
  withinMs: number;
};

export const mcp: McpRoute = { path: '/mcp', maxBodyBytes: 256 * 1024, withinMs: 60_000 };

/** What the guard, the address reader and the log read of a request. */
const CALLER_HEADERS = ['x-api-key', 'x-api-secret', 'x-forwarded-for', 'user-agent', 'traceparent'];
/** Headers of the protocol, which the handler checks against the message. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/**
 * Mounts the tools. A message counts as a visit of a page, and each call of the API that a tool makes as a request of the caller,
 * with the units of its route. Rejects requests of pages of other origins, whatever name they reached this server by: a browser
 * sends `Origin` with each of them, which is the protocol's protection against DNS rebinding.
 */
export function mountMcp(app: FastifyInstance, context: Core, { path, maxBodyBytes, withinMs }: McpRoute): void {
  const { config, log, gate } = context;
  // The protocol's library takes 25 MB: a server without such clients does without.
  const load = async () =>
    (await import('./mcp-messages.ts')).openMessages({ name: config.serviceName, log, maxBodyBytes });
  let messages: ReturnType<typeof load> | undefined;
  app.addHook('onClose', async () => (await messages)?.close());
  const { origin: own } = new URL(config.baseUrl);
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: path,
    bodyLimit: maxBodyBytes,
    onRequest: async ({ raw, method, headers }, reply) => {
      if (headers.origin !== undefined && headers.origin !== own)
        return reply.send(rejection(403, 'Pages of other sites may not call this address.'));
      if (method !== 'POST')
        return reply
          .header('allow', 'POST')
          .send(rejection(405, 'Send each message as a POST; there are no sessions.'));
      gate.visit(raw);
    },
    handler: async ({ raw, headers, body }, reply) => {
      // Revisions since 2025-06-18 have no batches; one would be a request with any number of calls.
      if (Array.isArray(body)) return reply.send(rejection(400, 'Send one message at a time.'));
      const signal = AbortSignal.any([
        disconnectSignalOf(reply.raw, app.shutdownSignal),
        AbortSignal.timeout(withinMs),
      ]);
      const sent = pick(headers, PROTOCOL_HEADERS);
      const request = new Request(config.baseUrl + path, { method: 'POST', headers: sent, body: '{}', signal });
      const caller = { headers: pick(headers, CALLER_HEADERS), remoteAddress: raw.socket.remoteAddress ?? '', signal };
      messages ??= load();
      const answer = await (await messages).answer(request, body, ownApi(app, config.baseUrl, caller));
      return reply.header('cache-control', 'no-store').send(answer);
    },
  });
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const])),
  );
}

/** A rejection before a message is read, as the protocol writes one. */
function rejection(status: 400 | 403 | 405, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status });
}
