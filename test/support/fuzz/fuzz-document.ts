import type { Schema } from './fuzz-values.ts';

/** The part of an OpenAPI 3.1 document that requests are made from and answers are held against. */
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema };

export type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

/** An operation with its path and method. */
export type Route = { method: string; path: string; operation: Operation };

export function routesOf(document: OpenApi): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The paths of a document that a target can mean, static parts before parameters. */
export function pathMatcher(document: OpenApi): (target: string) => string | null {
  const patterns = Object.keys(document.paths)
    .map((path) => ({
      path,
      // The first match decides: `by-id` outranks `{game}`.
      rank: path
        .split('/')
        .map((part) => (part.startsWith('{') ? '1' : '0'))
        .join(''),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return (target) => {
    const pathname = target.split(/[?#;]/)[0]!;
    return patterns.find(({ pattern }) => pattern.test(pathname))?.path ?? null;
  };
}
