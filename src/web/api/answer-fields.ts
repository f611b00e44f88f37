/** JSON Schema, as far as answers use it. */
export type JsonSchema = {
  $ref?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  description?: string;
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
};

/** A field of an answer; `name` is a path from the answer's top: `items[].name`. `shape` is the component that it is of. */
export type AnswerField = { name: string; type: string; shape: string | null; description: string };

/** Deeper fields are described where their own shape is. */
const MOST_DEPTH = 3;

/** The fields of an object, in order, with those of the objects and lists in it that are not shapes of their own. */
export function fieldsOf(schema: JsonSchema, prefix = '', depth = 1): AnswerField[] {
  return partsOf(schema).flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([key, one]) => {
      const name = prefix + key;
      const field = { name, type: typeOf(one), shape: shapeOf(one), description: one.description ?? '' };
      const inner = depth < MOST_DEPTH && field.shape === null ? insideOf(one) : null;
      return [field, ...(inner === null ? [] : fieldsOf(inner.schema, `${name}${inner.mark}.`, depth + 1))];
    }),
  );
}

/** The objects that a schema is made of; of alternatives the first one. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  if (schema.allOf) return schema.allOf.flatMap(partsOf);
  if (schema.anyOf) return partsOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {});
  return [schema];
}

/** The object in a field, or in the list that it is. */
function insideOf(schema: JsonSchema): { schema: JsonSchema; mark: string } | null {
  const [present] = alternatives(schema);
  if (present?.type === 'array') return { schema: present.items ?? {}, mark: '[]' };
  return present?.properties || present?.allOf ? { schema: present, mark: '' } : null;
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
}

/** The component that a field, or each of its list, is of. */
export function shapeOf(schema: JsonSchema): string | null {
  const [present] = alternatives(schema);
  const ref = present?.$ref ?? present?.items?.$ref ?? (present?.items && alternatives(present.items)[0]?.$ref);
  return ref?.split('/').at(-1) ?? null;
}

/** `integer or null`, `list of CardSummary`, `"low", "medium"`. */
export function typeOf(schema: JsonSchema): string {
  const types = (schema.anyOf ?? [schema]).map((one) => {
    if (one.$ref) return one.$ref.split('/').at(-1)!;
    if (one.const !== undefined) return JSON.stringify(one.const);
    if (one.enum) return one.enum.map((value) => JSON.stringify(value)).join(', ');
    if (one.type === 'array') return `list of ${typeOf(one.items ?? {})}`;
    return one.format && one.type === 'string' ? one.format : (one.type ?? 'object');
  });
  return [...new Set(types)].join(' or ');
}
