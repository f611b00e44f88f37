import { type OpenApi, type Route, routesOf } from './fuzz-document.ts';
import { HOSTILE_BODIES, HOSTILE_HEADERS, STRAY_PARAMETERS } from './fuzz-hostile.ts';
import { type Random, randomOf } from './fuzz-random.ts';
import { jsonFor, type Kind, type Schema, textFor } from './fuzz-values.ts';

/** Values that mean something in the database at hand: of one item each, and by parameter name for the rest. */
export type Pools = {
  items: readonly Record<string, readonly string[]>[];
  values: Record<string, readonly string[]>;
  /** Headers of a partner. */
  key: readonly (readonly [string, string])[];
};

export type FuzzRequest = {
  seed: number;
  method: string;
  /** As it goes over the wire: raw bytes in latin1, perhaps no URL at all. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: string | null;
  kind: Kind;
  /** The route it was made for. */
  route: Route;
};

const KINDS: readonly (readonly [Kind, number])[] = [
  ['valid', 0.35],
  ['boundary', 0.2],
  ['invalid', 0.15],
  ['hostile', 0.3],
];
const OTHER_METHODS = ['HEAD', 'HEAD', 'HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'];

/** The request of a seed: the same for the same document and pools. */
export function requestMaker(document: OpenApi, pools: Pools): (seed: number) => FuzzRequest {
  const routes = routesOf(document);
  return (seed) => {
    const random = randomOf(seed);
    const route = random.pick(routes);
    const kind = kindOf(random);
    const method = random.chance(0.1) ? random.pick(OTHER_METHODS) : route.method;
    const target = targetOf(route, kind, random, pools);
    const { body, type } = bodyOf(route, method, kind, random);
    const headers = headersOf(route, kind, random, pools, type);
    return { seed, method, target, headers, body, kind, route };
  };
}

function kindOf(random: Random): Kind {
  let at = random.next();
  for (const [kind, share] of KINDS) {
    if (at < share) return kind;
    at -= share;
  }
  return 'hostile';
}

/** One parameter is of the kind, the others valid: so that what is wrong is seen past what is right. */
function targetOf({ path, operation }: Route, kind: Kind, random: Random, pools: Pools): string {
  const item = random.pick(pools.items);
  const parameters = operation.parameters.filter((one) => one.in !== 'header');
  const spoilt = random.below(Math.max(1, parameters.length));
  const text = (index: number) => {
    const { name, schema } = parameters[index]!;
    const known = item[name] ?? pools.values[name] ?? [];
    return escaped(textFor(schema, index === spoilt ? kind : 'valid', random, known), kind, random);
  };
  const query: string[] = [];
  let pathname = path;
  for (const [index, parameter] of parameters.entries()) {
    // A replacement function: `$` means something in a replacement text.
    if (parameter.in === 'path') pathname = pathname.replace(`{${parameter.name}}`, () => text(index));
    else if (parameter.required || index === spoilt || random.chance(0.4)) {
      for (let n = occurrences(parameter.schema, kind, random); n > 0; n--)
        query.push(`${parameter.name}=${text(index)}`);
      if (kind === 'hostile' && random.chance(0.2)) query.push(`${parameter.name}=${text(index)}`);
      if (kind === 'hostile' && random.chance(0.1)) query.push(`${parameter.name}[]=${text(index)}`);
    }
  }
  if (kind === 'hostile' && random.chance(0.2)) query.push(wire(random.pick(STRAY_PARAMETERS)));
  if (kind === 'hostile' && random.chance(0.05))
    pathname = random.pick([
      `${pathname}/`,
      `/${pathname}`,
      `${pathname}//x`,
      pathname.replace('/v1', '/%76%31'),
      `http://evil.example${pathname}`,
      pathname.toUpperCase(),
    ]);
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
}

/** Once; what may be repeated also as often as it may be at most, and once more. */
function occurrences({ anyOf = [] }: Schema, kind: Kind, random: Random): number {
  if (!anyOf.some(({ type }) => type === 'array')) return 1;
  return kind === 'boundary' ? random.pick([1, 8, 9]) : 1 + random.below(3);
}

/** Escaped as a browser does it; hostile ones also twice, needlessly, wrongly or not at all. */
function escaped(text: string, kind: Kind, random: Random): string {
  const bytes = Buffer.from(text, 'utf8');
  const usual = [...bytes]
    .map((byte) => (/[\w.~!*'()-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : triplet(byte)))
    .join('');
  if (kind !== 'hostile' || random.chance(0.6)) return usual;
  return random.pick([
    () => usual.replaceAll('%', '%25'),
    () => [...bytes].map(triplet).join(''),
    () => `${usual}%`,
    () => `${usual}%C0%AE%C0%AF`,
    () => `%E0%80%80${usual}`,
    () => [...Buffer.from(text, 'utf16le')].map(triplet).join(''),
    () => wire(text),
  ])();
}

function triplet(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** As raw bytes; only a line's end is left out, since what follows it would be another header or request. */
function wire(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\r\n]/g, '');
}

function bodyOf(
  route: Route,
  method: string,
  kind: Kind,
  random: Random,
): { body: string | null; type: string | null } {
  const [[type, content] = [null, null]] = Object.entries(route.operation.requestBody?.content ?? {});
  if (type === null || content === null || method === 'GET' || method === 'HEAD')
    return kind === 'hostile' && random.chance(0.05)
      ? { body: random.pick(HOSTILE_BODIES), type: 'application/json' }
      : { body: null, type: null };
  if (kind === 'hostile' && random.chance(0.3))
    return {
      body: random.pick(HOSTILE_BODIES),
      type: random.pick([type, 'text/plain', `${type}; charset=utf-16`, '']),
    };
  const value = jsonFor(content.schema, kind, random);
  const isForm = type === 'application/x-www-form-urlencoded';
  return { body: isForm ? formText(value) : (JSON.stringify(value) ?? 'null'), type };
}

function formText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return new URLSearchParams(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  ).toString();
}

function headersOf(
  { operation }: Route,
  kind: Kind,
  random: Random,
  pools: Pools,
  type: string | null,
): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [];
  const hostile = kind === 'hostile' && random.chance(0.3) ? [random.pick(HOSTILE_HEADERS)] : [];
  if (hostile[0]?.[0] !== 'host') headers.push(['host', '127.0.0.1']);
  if (random.chance(0.3)) headers.push(['accept-encoding', 'gzip, deflate, br']);
  if (random.chance(0.2)) headers.push(...pools.key);
  if (type) headers.push(['content-type', type]);
  for (const { name, schema, required } of operation.parameters.filter((one) => one.in === 'header'))
    if (required || random.chance(0.3)) headers.push([name, headerText(textFor(schema, kind, random, []))]);
  return [...headers, ...hostile];
}

function headerText(text: string): string {
  return wire(text).replaceAll('\0', '').slice(0, 8000);
}
