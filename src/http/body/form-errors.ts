import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { allowedBy, quoted, type ValueSchema, violationOf } from '../allowed.ts';
import { ProblemError } from '../problem.ts';

/** Faults reported at once; a body of 64 kB can have thousands. */
const MAX_FAULTS = 20;
const MAX_NAME_CHARS = 64;

type Fault = Pick<FastifySchemaValidationError, 'keyword' | 'params' | 'instancePath'>;

/** The problem with a body, each field with its JSON pointer (RFC 6901), in the words of the schema. */
export function invalidForm(faults: readonly Fault[], schema: ValueSchema, body: unknown): ProblemError {
  const errors = violations(faults, schema, body).map(({ name, pointer, ...rest }) => ({ pointer, ...rest }));
  return new ProblemError('invalid_form', `${errors[0]!.message}.`, { errors });
}

/** The problem with the parameters of a path, a query or the headers. */
export function invalidParameters(faults: readonly Fault[], schema: ValueSchema, values: unknown): ProblemError {
  // Numbers as they were sent: texts.
  const sent = Object.entries(values ?? {}).map(([name, one]) => [name, typeof one === 'number' ? String(one) : one]);
  const errors = violations(faults, schema, Object.fromEntries(sent)).map(({ name, code, message }) => ({
    parameter: name,
    code,
    message,
  }));
  return new ProblemError('invalid_parameter', `${errors[0]!.message}.`, { errors });
}

/** What is wrong with a value, in a clause without its full stop. */
export function faultIn(fault: Fault, schema: ValueSchema, value: unknown): string {
  return violationIn(fault, schema, value).message;
}

type Violation = { name: string; pointer: string; code: string; message: string };

/** One for each value that does not fit: a validator reports every branch of a choice that fails. */
function violations(faults: readonly Fault[], schema: ValueSchema, values: unknown): Violation[] {
  const found = new Map<string, Violation>();
  for (const fault of faults) {
    const violation = violationIn(fault, schema, values);
    if (!found.has(violation.pointer)) found.set(violation.pointer, violation);
    if (found.size === MAX_FAULTS) break;
  }
  return [...found.values()];
}

function violationIn(fault: Fault, schema: ValueSchema, values: unknown): Violation {
  const { keyword, params, instancePath } = fault;
  const code = CODES[keyword] ?? keyword;
  const added = (params.missingProperty ?? params.additionalProperty) as string | undefined;
  const path = [...instancePath.split('/').slice(1).map(unescaped), ...(added === undefined ? [] : [added])];
  const [first] = path;
  if (first === undefined) return { name: '', pointer: '', code, message: 'the body must be a JSON object' };
  const name = first.slice(0, MAX_NAME_CHARS);
  const pointer = path.map((key) => `/${escaped(key.slice(0, MAX_NAME_CHARS))}`).join('');
  if (keyword === 'additionalProperties')
    return { name, pointer, code, message: `${placeOf(path)} is not a field of this form` };
  return { name, pointer, code, message: violationAt(path, schema, values) };
}

/** What is wrong with the value at a path; of a list of plain values, what the list may hold. */
function violationAt(path: readonly string[], schema: ValueSchema, values: unknown): string {
  let [at, value]: [ValueSchema, unknown] = [schema, values];
  for (const [depth, key] of path.entries()) {
    const [member, one] = [memberOf(at, key), (value as Record<string, unknown> | null)?.[key]];
    if (Array.isArray(value) && member.properties === undefined)
      return `${placeOf(path.slice(0, depth))} must be ${allowedBy(at)}; got ${quoted(one)} in it`;
    [at, value] = [member, one];
  }
  return violationOf(placeOf(path), at, value);
}

/** The schema of a member; of a choice, as the branch says that has it. */
function memberOf(schema: ValueSchema, key: string): ValueSchema {
  const members = [schema, ...(schema.anyOf ?? [])].map(({ properties, items }) => properties?.[key] ?? items);
  return members.find((one) => one !== undefined) ?? {};
}

/** A path as people write it: `lines[3].quantity`. */
function placeOf(path: readonly string[]): string {
  const names = path.map((key) => key.slice(0, MAX_NAME_CHARS));
  return names.reduce((place, name) => place + (/^\d+$/.test(name) ? `[${name}]` : `.${name}`));
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

const CODES: Record<string, string> = {
  required: 'missing',
  additionalProperties: 'unknown',
  minLength: 'too_short',
  maxLength: 'too_long',
  pattern: 'format',
};
