import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { allowedBy, quoted, type ValueSchema, violationOf } from '../allowed.ts';
import { ProblemError } from '../problem.ts';

/** Faults reported at once; a body of 64 kB can have thousands. */
const MAX_FAULTS = 20;
const MAX_NAME_CHARS = 64;

type Faults = readonly FastifySchemaValidationError[];
type ObjectSchema = { properties?: Record<string, ValueSchema> };

/** The problem with a body, each field with its JSON pointer (RFC 6901), in the words of the schema. */
export function invalidForm(faults: Faults, schema: ObjectSchema, body: unknown): ProblemError {
  const errors = violations(faults, schema, body).map(({ name, pointer, ...rest }) => ({ pointer, ...rest }));
  return new ProblemError('invalid_form', `${errors[0]!.message}.`, { errors });
}

/** The problem with the parameters of a path, a query or the headers. */
export function invalidParameters(faults: Faults, schema: ObjectSchema, values: unknown): ProblemError {
  // Numbers as they were sent: texts.
  const sent = Object.entries(values ?? {}).map(([name, one]) => [name, typeof one === 'number' ? String(one) : one]);
  const errors = violations(faults, schema, Object.fromEntries(sent)).map(({ name, code, message }) => ({
    parameter: name,
    code,
    message,
  }));
  return new ProblemError('invalid_parameter', `${errors[0]!.message}.`, { errors });
}

type Violation = { name: string; pointer: string; code: string; message: string };

/** One for each value that does not fit: a validator reports every branch of a choice that fails. */
function violations(faults: Faults, schema: ObjectSchema, values: unknown): Violation[] {
  const found = new Map<string, Violation>();
  for (const fault of faults) {
    const violation = violationIn(fault, schema, values);
    if (!found.has(violation.pointer)) found.set(violation.pointer, violation);
    if (found.size === MAX_FAULTS) break;
  }
  return [...found.values()];
}

function violationIn(fault: FastifySchemaValidationError, schema: ObjectSchema, values: unknown): Violation {
  const { keyword, params, instancePath } = fault;
  const code = CODES[keyword] ?? keyword;
  const [, named, place] = instancePath.split('/');
  const name = String(named ?? params.missingProperty ?? params.additionalProperty ?? '').slice(0, MAX_NAME_CHARS);
  if (name === '') return { name, pointer: '', code, message: 'the body must be a JSON object' };
  const pointer = named === undefined ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : instancePath;
  const value = (values as Record<string, unknown> | null)?.[name];
  const property = schema.properties?.[name] ?? {};
  if (keyword === 'additionalProperties')
    return { name, pointer, code, message: `${name} is not a field of this form` };
  if (place !== undefined && Array.isArray(value)) {
    const message = `${name} must be ${allowedBy(property)}; got ${quoted(value[Number(place)])} in it`;
    return { name, pointer, code, message };
  }
  return { name, pointer, code, message: violationOf(name, property, value) };
}

const CODES: Record<string, string> = {
  required: 'missing',
  additionalProperties: 'unknown',
  minLength: 'too_short',
  maxLength: 'too_long',
  pattern: 'format',
};
