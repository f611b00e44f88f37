import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { type ProblemDetail, ProblemError } from './problem.ts';

/** Faults told at once; a body of 64 kB can hold thousands. */
const MAX_FAULTS = 20;
const MAX_NAME_CHARS = 64;

type Described = { properties?: Record<string, { description?: string }> };

/** What is wrong with a body, fault by fault, each with its JSON pointer (RFC 6901), in the words of the schema. */
export function invalidForm(faults: readonly FastifySchemaValidationError[], schema: Described): ProblemError {
  const errors = faults.slice(0, MAX_FAULTS).map((fault): ProblemDetail => {
    const named = fault.params.missingProperty ?? fault.params.additionalProperty;
    const within = fault.instancePath.slice(1);
    const name = String(named ?? within).slice(0, MAX_NAME_CHARS);
    const step = named === undefined ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const description = schema.properties?.[name]?.description;
    return {
      pointer: `${fault.instancePath}${step}`,
      code: CODES[fault.keyword] ?? fault.keyword,
      message: messageOf(fault, name || 'the body', description),
    };
  });
  return new ProblemError('invalid_form', `${errors[0]!.message}.`, { errors });
}

const CODES: Record<string, string> = {
  required: 'missing',
  additionalProperties: 'unknown',
  minLength: 'too_short',
  maxLength: 'too_long',
  pattern: 'format',
};

function messageOf({ keyword, message }: FastifySchemaValidationError, name: string, description?: string): string {
  if (keyword === 'required') return `${name} is missing${description ? `: ${description}` : ''}`;
  if (keyword === 'additionalProperties') return `${name} is not a field of this form`;
  // A schema's description says in words what its format, pattern or list demands.
  if (/^(format|pattern|enum)$/.test(keyword) && description) return `${name} does not fit; it takes ${description}`;
  return `${name} ${message ?? 'is not valid'}`;
}
