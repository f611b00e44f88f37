import { fromJsonSchema, type JsonSchemaValidatorResult, McpServer } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { TObject } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import packageJson from '../../package.json' with { type: 'json' };
import { type ValueSchema, violationOf } from '../http/allowed.ts';
import { ApiProblem, type Tool, type ToolApi } from './tool.ts';
import { accuracyTool } from './tools/accuracy-tool.ts';
import { explainTool } from './tools/explain-tool.ts';
import { findCard } from './tools/find-card.ts';
import { historyTool } from './tools/history-tool.ts';
import { indexTool } from './tools/index-tool.ts';
import { priceTool } from './tools/price-tool.ts';
import { receiptTool } from './tools/receipt-tool.ts';
import { slabTool } from './tools/slab-tool.ts';
import { worthTool } from './tools/worth-tool.ts';

// biome-ignore lint/suspicious/noExplicitAny: tools of a table have different inputs and outputs
const TOOLS: readonly Tool<any, any>[] = [
  findCard,
  priceTool,
  historyTool,
  explainTool,
  slabTool,
  worthTool,
  indexTool,
  accuracyTool,
  receiptTool,
];

const INSTRUCTIONS =
  'Reference prices of trading cards and graded slabs, in US cents, modeled from recorded sales. Give each figure with its range, the day of its close, and citeUrl as the source. With several_fit, ask which printing is meant; never choose one.';

/** Their schemas as the protocol takes them, made once. */
const SCHEMAS = new Map(TOOLS.map((one) => [one.name, { input: inputOf(one.input), output: outputOf(one.output) }]));

/**
 * A server of the protocol, of either revision, for one request or one connection. Its tools call `api`; a problem of the API
 * is an error of the tool, in its words, and a fault shows nothing of itself.
 */
export function mcpServer(api: ToolApi, { name, log }: { name: string; log: Logger }): McpServer {
  const server = new McpServer(
    { name: 'mintmark', title: name, version: packageJson.version, websiteUrl: api.baseUrl },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  );
  for (const { name, title, description, call } of TOOLS) {
    const { input, output } = SCHEMAS.get(name)!;
    const annotations = {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const kind = { title, description, inputSchema: input, outputSchema: output, annotations };
    server.registerTool(name, kind, async (sent) => {
      try {
        const answer = (await call(api, sent)) as Record<string, unknown>;
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
      } catch (error) {
        if (!(error instanceof ApiProblem)) log.error({ error, tool: name }, 'a tool failed');
        const text = error instanceof ApiProblem ? error.message : 'Something failed on our side; try again.';
        return { content: [{ type: 'text', text }], isError: true };
      }
    });
  }
  return server;
}

/** Rejects what does not fit, in the words of the API. */
function inputOf(schema: TObject) {
  return fromJsonSchema<Record<string, unknown>>(plain(schema), {
    getValidator:
      <T>() =>
      (sent: unknown) => {
        if (Check(schema, sent)) return { valid: true as const, data: sent as T, errorMessage: undefined };
        return { valid: false as const, data: undefined, errorMessage: `${violationIn(schema, sent)}.` };
      },
  });
}

function violationIn(schema: TObject, sent: unknown): string {
  const [, [first]] = Errors(schema, sent) as unknown as [boolean, { instancePath: string }[]];
  const [name = ''] = first?.instancePath.split('/').slice(1) ?? [];
  const values = (typeof sent === 'object' && sent !== null ? sent : {}) as Record<string, unknown>;
  const unknown = Object.keys(values).find((key) => !(key in schema.properties));
  if (unknown !== undefined)
    return `There is no parameter ${JSON.stringify(unknown.slice(0, 40))}; there are ${Object.keys(schema.properties).join(', ')}`;
  const missing = (schema.required ?? []).find((key) => !(key in values));
  const wrong = missing ?? name;
  return violationOf(wrong, (schema.properties[wrong] ?? {}) as ValueSchema, values[wrong]);
}

/** Our own answers are not checked again: their types are those of their schemas. */
function outputOf(schema: TObject) {
  return fromJsonSchema<Record<string, unknown>>(plain(schema), {
    getValidator:
      <T>() =>
      (made: unknown): JsonSchemaValidatorResult<T> => ({ valid: true, data: made as T, errorMessage: undefined }),
  });
}

/** A schema as JSON, without what the library keeps in it besides. */
function plain(schema: TObject) {
  return JSON.parse(JSON.stringify(schema));
}
