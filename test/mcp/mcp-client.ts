import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inject } from 'vitest';

/** Revisions of the protocol that are current. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** The official client, of one revision: without negotiation it opens as those before 2026 do. */
function clientOf(revision: Revision): Client {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  return new Client({ name: 'mintmark-tests', version: '1.0.0' }, { versionNegotiation: { mode } });
}

/** Connects over Streamable HTTP; `origin` is the server's address. */
export async function overHttp(
  revision: Revision,
  origin: string,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = clientOf(revision);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } }));
  return client;
}

/** Starts `mintmark mcp` and connects to it over stdio. */
export async function overStdio(
  revision: Revision,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env;
  const client = clientOf(revision);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [inject('program'), 'mcp', ...args],
      env: { PATH, HOME, XDG_CONFIG_HOME: '/nonexistent', ...env },
      stderr: 'pipe',
    }),
  );
  return client;
}

/** The structured answer of a tool, which the client has checked against its output schema. Throws the text of an error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function answerOf(client: Client, name: string, sent: Record<string, unknown>): Promise<any> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: sent });
  const [text] = content as { text: string }[];
  if (isError) throw new Error(text!.text);
  return structuredContent;
}
