type Schema = {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
};

const ID = '6e7fdc9a-3f52-4c8b-9d0e-2f4a1b7c8d90';
const DAY = '2026-06-29';

/** The values of one example card, by the name of the field. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  game: 'pokemon',
  type: 'POKEMON',
  name: 'Charizard',
  setName: 'Base',
  setCode: 'base1',
  setSegment: 'base-base1',
  cardNumber: '4',
  language: 'English',
  company: 'PSA',
  grade: '10 Gem Mint',
  gradeLabel: 'PSA 10',
  cert: 'PSA12345678',
  certNumber: '12345678',
  href: '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
  query: 'charizard',
  kind: 'character',
  slug: 'charizard',
  label: 'Pokémon',
  source: 'ebay',
  displayName: 'eBay',
  bucket: 'public',
  category: 'public',
  currency: 'USD',
  year: 1999,
  cause: 'sale_voided',
  note: 'Sale of 2026-06-20 for $180.00: never paid.',
  sha256: '0'.repeat(64),
};

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  'date-time': `${DAY}T00:00:00.000Z`,
  date: DAY,
  uri: 'https://prices.example/images/0123456789abcdef0123456789abcdef-734.webp',
};

/** A value that a schema allows: the fields that identify a card agree, all others are as small as allowed. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  const named = BY_NAME[name];
  if (schema.enum) return schema.enum.includes(named) ? named : schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part)));
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, one]) => [key, exampleOf(one, key)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => exampleOf(schema.items ?? {}));
    case 'integer':
    case 'number':
      return typeof named === 'number' ? named : numberOf(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? (typeof named === 'string' ? named : 'text');
    default:
      return {};
  }
}

function numberOf({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: Schema): number {
  return Math.min(maximum, Math.max(minimum, 1));
}
