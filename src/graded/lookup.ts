import { Type } from 'typebox';
import { type ReadCert, readCert } from '../catalog/cert.ts';
import { quoted } from '../http/allowed.ts';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import type { GradedContext } from './context.ts';
import { type GradedLookup, gradedLookup } from './shapes.ts';

export const CERT_RULE =
  'Cert numbers have 5 to 20 digits, optionally after the grader (PSA, BGS, BECKETT, BVG, BCCG or CGC) and a space or dash. Digits alone are read as PSA.';

export const certParams = Type.Object({
  cert: Type.String({ minLength: 1, maxLength: 400, description: CERT_RULE }),
});

export const certLookup = endpoint({
  id: 'gradedCert',
  reads: 'primary',
  summary: 'A slab by its cert number: card, grade and price',
  params: certParams,
  response: gradedLookup,
  maxAgeSeconds: 60,
  // A HEAD starts no valuation, and a disconnected client ends only its own wait.
  answersEach: true,
  async handle(context: GradedContext, { params, disconnectSignal, isHead }) {
    const cert = certOf(params.cert);
    const { lookup, settled, mayFindMore } = await context.valuer.stored(cert);
    if (mayFindMore)
      return { body: isHead ? lookup : await context.valuer.waitFor(cert, disconnectSignal()), noStore: true };
    return { body: lookup, ...pageOf(context.config.baseUrl, lookup), noStore: !settled };
  },
});

/** Why a text is not a cert, and what is. */
export function notCert(text: string): string {
  return `cert must be a cert number; got ${quoted(text)}. ${CERT_RULE}`;
}

/** Reads the cert of an address. Throws `invalid_cert`. */
export function certOf(text: string): ReadCert {
  const reading = readCert(text);
  if (reading.kind !== 'invalid') return reading;
  const message = notCert(text);
  throw new ProblemError('invalid_cert', message, { errors: [{ parameter: 'cert', code: 'invalid_cert', message }] });
}

function pageOf(baseUrl: string, { card }: GradedLookup): { pageUrl?: string } {
  return card === undefined ? {} : { pageUrl: baseUrl + card.href };
}
