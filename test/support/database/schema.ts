import Value from 'typebox/value';
import { expect } from 'vitest';
import { PROBLEM_SCHEMA } from '../../../src/http/problem.ts';
import { ROUTES } from '../../../src/routes.ts';

type Schema = {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
};

const MATCHERS = ROUTES.map(({ path, endpoint }) => ({
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
  parameters: path.split(':').length,
  schema: endpoint.response as Schema,
})).sort((a, b) => a.parameters - b.parameters);

/**
 * Fails unless `body` is what the route of `path` declares, with nothing undeclared in it; a body of another status than
 * success has to be a problem document.
 */
export function expectMatchesSchema(path: string, status: number, body: unknown): void {
  const pathname = path.split('?')[0]!;
  const route = MATCHERS.find(({ pattern }) => pattern.test(pathname));
  const schema = status < 300 ? route!.schema : (PROBLEM_SCHEMA as unknown as Schema);
  const errors = Value.Errors(schema, body).map(({ instancePath, message }) => `${instancePath} ${message}`);
  expect(errors, path).toEqual([]);
  // A problem may carry what else there is to say (`candidates`); a client finds nothing in a body that is not declared.
  if (status < 300) expect(undeclared(schema, body, ''), path).toEqual([]);
}

/** Paths of properties that no part of the schema names. */
function undeclared(schema: Schema, value: unknown, path: string): string[] {
  const parts = partsOf(schema);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => (part.items ? [part.items] : []));
    return value.flatMap((one, i) => undeclared({ allOf: items }, one, `${path}/${i}`));
  }
  if (typeof value !== 'object' || value === null) return [];
  if (parts.some((part) => part.additionalProperties !== undefined || part.patternProperties)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = parts.flatMap((part) => part.properties?.[name] ?? []);
    return declared.length === 0 ? [`${path}/${name}`] : undeclared({ allOf: declared }, inner, `${path}/${name}`);
  });
}

function partsOf(schema: Schema): Schema[] {
  return [schema, ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap(partsOf)];
}
