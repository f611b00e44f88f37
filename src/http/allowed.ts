/** The parts of a JSON Schema that say what a value may be. */
export type ValueSchema = {
  type?: unknown;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly ValueSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, ValueSchema>;
  items?: ValueSchema;
};

const MAX_QUOTED_CHARS = 40;

/** Why a value does not fit its schema, as a sentence without its full stop: what is allowed, and what was sent. */
export function violationOf(name: string, schema: ValueSchema, value: unknown): string {
  if (value === undefined) return `${name} is missing; it must be ${allowedBy(schema)}`;
  const text = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'string');
  if (typeof value === 'string' && text !== undefined) {
    const length = [...value].length;
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = text;
    if (length > maxLength) return `${name} must have at most ${maxLength} characters; got ${length}`;
    if (length < minLength) return `${name} must have at least ${minLength} characters; got ${length}`;
  }
  if (Array.isArray(value) && schema.type === 'array')
    return `${name} must be ${allowedBy(schema)}; got ${value.length}`;
  if (Array.isArray(value) && !takesArrays(schema)) return `${name} must be sent once; got it ${value.length} times`;
  return `${name} must be ${allowedBy(schema)}; got ${quoted(value)}`;
}

/** A value as it was sent, short enough for a sentence. */
export function quoted(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  const characters = [...String(value)];
  const text = characters.length > MAX_QUOTED_CHARS ? `${characters.slice(0, MAX_QUOTED_CHARS).join('')}…` : value;
  return JSON.stringify(text);
}

/** What a schema allows, in words, without null; a text's description begins with them. */
export function allowedBy(schema: ValueSchema): string {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (choices) return [...new Set(choices.map(allowedBy))].join(' or ');
  if (schema.enum) return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === 'integer') return wholeNumber(schema);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'object') return 'a JSON object';
  return firstSentence(schema.description) ?? (schema.type === 'array' ? anArray(schema) : 'text');
}

function wholeNumber({ minimum, maximum }: ValueSchema): string {
  if (maximum !== undefined) return `a whole number from ${minimum ?? 0} to ${maximum}`;
  return minimum === undefined ? 'a whole number' : `a whole number from ${minimum} on`;
}

function anArray({ minItems = 0, maxItems }: ValueSchema): string {
  return maxItems === undefined ? 'an array' : `an array of ${minItems} to ${maxItems}`;
}

function firstSentence(description: string | undefined): string | null {
  if (description === undefined) return null;
  const [sentence] = description.split(/\.(?=\s|$)/);
  // A name such as `UUID` keeps its capitals.
  return sentence!.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function takesArrays(schema: ValueSchema): boolean {
  return schema.type === 'array' || (schema.anyOf ?? []).some(takesArrays);
}
