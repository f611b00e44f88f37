import { type TSchema, Type } from 'typebox';
import type { Config } from '../config.ts';
import { type Endpoint, endpoint, type Mounting } from '../http/endpoint.ts';
import { referenced } from './openapi.ts';

type DescribedApi = { paths: Record<string, Record<string, DescribedAnswers>> };
type DescribedAnswers = { responses: Record<number, { content?: Record<string, { example?: unknown }> }> };

/**
 * A document of version 3.1 as one of 3.2, which describes each event of a stream (`itemSchema`): its name and, in `data`, the JSON
 * that comes with it. All the rest is the same.
 */
export function inVersion32(document: object, routes: readonly Mounting[]): object {
  const made = structuredClone(document) as DescribedApi;
  for (const { path, endpoint } of routes) {
    if (endpoint.events === undefined) continue;
    for (const { responses } of Object.values(made.paths[path.replace(/:(\w+)/g, '{$1}')]!)) {
      const { content } = responses[200]!;
      const serializedValue = content!['text/event-stream']!.example;
      content!['text/event-stream'] = {
        itemSchema: { oneOf: Object.entries(endpoint.events).map(eventSchema) },
        examples: { progress: { summary: 'One event.', serializedValue } },
      } as object;
    }
  }
  return { ...made, openapi: '3.2.0' };
}

/** An event as a parser of server-sent events hands it out (OpenAPI 3.2, 4.14.3). */
function eventSchema([name, data]: [string, TSchema]): object {
  return {
    type: 'object',
    required: ['id', 'event', 'data'],
    properties: {
      id: { type: 'string' },
      event: { const: name },
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        ...(referenced({ contentSchema: data }) as object),
      },
    },
  };
}

/** The endpoint that serves the document in version 3.2. */
export function openapi32Endpoint(documentOf: (config: Config) => object, routes: () => readonly Mounting[]): Endpoint {
  const documents = new WeakMap<Config, object>();
  return endpoint({
    id: 'openapi32',
    summary: 'This API as an OpenAPI 3.2 document, which describes the events of streams too',
    response: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    maxAgeSeconds: 300,
    policy: 'open',
    handle({ config }) {
      const body = documents.get(config) ?? inVersion32(documentOf(config), routes());
      documents.set(config, body);
      return { body };
    },
  });
}
