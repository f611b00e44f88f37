import type { JsonSchema } from './answer-fields.ts';

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

/** As much of an OpenAPI document as the reference draws. */
export type ApiDocument = {
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** A route with the other addresses of the same view. */
export type Route = { id: string; method: 'GET' | 'POST'; paths: string[]; operation: Operation };

export type RouteGroup = { id: string; title: string; routes: Route[] };

/** In the order of the page; a route belongs to the first group that its path fits. */
const GROUPS: readonly [id: string, title: string, paths: RegExp][] = [
  ['photos', 'Photos', /by-image|by-embedding|embedding-model|detect-/],
  ['prices', 'Prices', /series$|\/trades|\/corrections|\/accuracy/],
  ['indices', 'Indices', /^\/v1\/indices/],
  ['cards', 'Cards', /^\/v1\/(items|cards|games|sets)/],
  ['search', 'Search', /^\/v1\/(search|tags)/],
  ['slabs', 'Slabs', /^\/v1\/graded/],
  ['record', 'Record', /^\/v1\/(record|receipts)/],
  ['service', 'Service', /./],
];
const SHOWN = ['cards', 'prices', 'search', 'slabs', 'indices', 'photos', 'record', 'service'];

/** The groups of the reference. Views under several addresses are one route; older addresses are left out. */
export function groupsOf({ paths }: ApiDocument): RouteGroup[] {
  const routes = new Map<string, Route>();
  for (const [path, { get, post }] of Object.entries(paths)) {
    const operation = (get ?? post)!;
    if (operation.deprecated || path.startsWith('/v1/cards/')) continue;
    const view = viewOf(path);
    const known = routes.get(view);
    if (known) known.paths.push(path);
    else routes.set(view, { id: operation.operationId, method: get ? 'GET' : 'POST', paths: [path], operation });
  }
  const groupOf = (route: Route) => GROUPS.find(([, , fits]) => fits.test(route.paths[0]!))![0];
  return SHOWN.map((id) => ({
    id,
    title: GROUPS.find((group) => group[0] === id)![1],
    // What is asked of one card comes first.
    routes: [...routes.values()]
      .filter((route) => groupOf(route) === id)
      .sort((a, b) => Number(isOfCard(b)) - Number(isOfCard(a))),
  }));
}

/** The same for all addresses of a view: the ways to name a card, the two types of a download, with or without version. */
function viewOf(path: string): string {
  return path
    .replace(
      /\/items\/(?:\{game\}\/\{set\}\/\{item\}|by-id\/\{id\}|by-(?:upstream-id\/\{rid\}|external-id\/\{space\}\/\{id\})(?:\/detail|(?=\/)))/,
      '/{card}',
    )
    .replace(/(indices\/.*|accuracy)\.(?:csv|json)$/, '$1 file')
    .replace(/^\/v1/, '');
}

/** Names of the parameters that name a card; they are described once. */
export const CARD_PARAMETERS: readonly string[] = ['game', 'set', 'item', 'id', 'rid', 'space'];

/** True where the route has a card in its address, named in one of four ways. */
export function isOfCard({ paths }: Route): boolean {
  return paths.length > 1 && paths[0]!.includes('{item}');
}
