import fc from 'fast-check';
import { hostileJson, hostileText } from './fuzz-hostile.ts';
import type { Random } from './fuzz-random.ts';

/** The part of JSON Schema that parameters and bodies of our document use. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
};

/** How a value is meant. */
export type Kind = 'valid' | 'boundary' | 'invalid' | 'hostile';

const LONGEST = 20_000;

/** A text for a parameter. `known` are values that mean something in this database. */
export function textFor(schema: Schema, kind: Kind, random: Random, known: readonly string[]): string {
  switch (kind) {
    case 'valid':
      return known.length > 0 && random.chance(0.9) ? random.pick(known) : String(validFor(schema, random));
    case 'boundary':
      return String(boundaryFor(schema, random));
    case 'invalid': {
      const [sample, character] = [String(validFor(schema, random)), random.pick(['-', 'x', '0', ' ', 'é', '.'])];
      return random.pick([`${sample}${character}`, `${character}${sample}`, sample.slice(1), sample.toUpperCase(), '']);
    }
    case 'hostile':
      return hostileText(random);
  }
}

/** A JSON value for a body or a part of one; of an object, one property is of the kind and the others valid. */
export function jsonFor(schema: Schema, kind: Kind, random: Random): unknown {
  if (schema.properties && kind !== 'valid') return spoiltObject(schema, kind, random);
  if (kind === 'valid') return validFor(schema, random);
  if (kind === 'boundary') return boundaryFor(schema, random);
  return hostileJson(random);
}

function spoiltObject(schema: Schema, kind: Kind, random: Random): unknown {
  const object = validFor(schema, random) as Record<string, unknown>;
  const name = random.pick(Object.keys(schema.properties!));
  if (kind === 'invalid' && random.chance(0.3)) delete object[name];
  else if (kind === 'invalid' && random.chance(0.2)) object.undeclared = 1;
  else object[name] = jsonFor(schema.properties![name]!, kind, random);
  return object;
}

function validFor(schema: Schema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return validFor(random.pick(schema.anyOf), random);
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object':
      return validObject(schema, random);
    case 'array': {
      const { minItems = 0, maxItems = minItems + 3 } = schema;
      const length = Math.min(maxItems, minItems + random.below(4));
      return Array.from({ length }, () => validFor(schema.items ?? {}, random));
    }
    case 'integer':
    case 'number':
      return (schema.minimum ?? 0) + random.below(Math.min(1000, (schema.maximum ?? 1000) - (schema.minimum ?? 0) + 1));
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return validText(schema, random);
  }
}

function validObject(schema: Schema, random: Random): Record<string, unknown> {
  const required = new Set(schema.required);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.has(name) || random.chance(0.5))
      .map(([name, inner]) => [name, validFor(inner, random)]),
  );
}

const FORMATS: Record<string, readonly string[]> = {
  email: ['a@b.example', 'first.last+tag@mail.example', `${'a'.repeat(64)}@example.com`],
  uri: ['https://example.com/', 'http://例え.example/?q=1#x'],
  uuid: ['00000000-0000-4000-8000-000000000000'],
  'date-time': ['2026-06-29T12:00:00Z', '2024-02-29T23:59:60.999Z'],
  date: ['2026-06-29', '2024-02-29'],
};

function validText(schema: Schema, random: Random): string {
  if (schema.format && FORMATS[schema.format]) return random.pick(FORMATS[schema.format]!);
  if (schema.pattern) return matching(schema.pattern, random);
  const { minLength = 0, maxLength = 40 } = schema;
  const length = minLength + random.below(Math.min(40, maxLength - minLength + 1));
  return Array.from({ length }, () => random.pick([...'abc XYZ 019-éü日ß'])).join('');
}

const arbitraries = new Map<string, fc.Arbitrary<string>>();

function matching(pattern: string, random: Random): string {
  let arbitrary = arbitraries.get(pattern);
  if (arbitrary === undefined) {
    arbitrary = fc.stringMatching(new RegExp(pattern, 'u'));
    arbitraries.set(pattern, arbitrary);
  }
  return fc.sample(arbitrary, { numRuns: 1, seed: random.below(2 ** 31) })[0]!;
}

/** Just inside and just outside of every limit that a schema states. */
function boundaryFor(schema: Schema, random: Random): unknown {
  if (schema.anyOf) return boundaryFor(random.pick(schema.anyOf), random);
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  const choices: (() => unknown)[] = [];
  for (const limit of [minimum, maximum])
    if (limit !== undefined) for (const off of [-1, 0, 1]) choices.push(() => limit + off);
  for (const limit of [minItems, maxItems])
    if (limit !== undefined)
      for (const off of [-1, 0, 1])
        choices.push(() =>
          Array.from({ length: Math.max(0, limit + off) }, () => validFor(schema.items ?? {}, random)),
        );
  for (const limit of [minLength, maxLength])
    if (limit !== undefined && limit <= LONGEST)
      for (const off of [-1, 0, 1])
        choices.push(() => random.pick(['x', 'é', '日', '😀']).repeat(Math.max(0, limit + off)));
  if (pattern !== undefined)
    for (const number of numberLimits(pattern)) for (const off of [-1, 0, 1]) choices.push(() => number + off);
  return choices.length === 0 ? validFor(schema, random) : random.pick(choices)();
}

const limitsByPattern = new Map<string, number[]>();

/** The least and the greatest whole number that a pattern takes, where it takes any. */
function numberLimits(pattern: string): number[] {
  let limits = limitsByPattern.get(pattern);
  if (limits === undefined) {
    const regex = new RegExp(pattern, 'u');
    const taken = Array.from({ length: 40_000 }, (_, i) => i).filter((i) => regex.test(String(i)));
    limits = taken.length === 0 ? [] : [taken[0]!, taken.at(-1)!];
    limitsByPattern.set(pattern, limits);
  }
  return limits;
}
