import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { mcpServer } from './mcp-server.ts';
import type { ToolApi } from './tool.ts';

/** What answers messages, of either revision: each by a server of its own, so that nothing is kept between them. */
export function openMessages(about: { name: string; log: Logger; maxBodyBytes: number }) {
  const { log, maxBodyBytes } = about;
  const apis = new WeakMap<Request, ToolApi>();
  const handler = createMcpHandler(({ requestInfo }) => mcpServer(apis.get(requestInfo!)!, about), {
    maxRequestBodySize: maxBodyBytes,
    // Nothing changes that a client could be notified of.
    maxSubscriptions: 1,
    onerror: (error) => log.debug({ error }, 'an MCP message was rejected'),
  });
  return {
    /** Answers one message that came over HTTP; its tools call `api`. */
    answer(request: Request, message: unknown, api: ToolApi): Promise<Response> {
      apis.set(request, api);
      return handler.fetch(request, { parsedBody: message });
    },
    close: () => handler.close(),
  };
}
