import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import { type ReadCert, readCert } from './cert.ts';
import { type GradedLookup, gradedLookup } from './shapes.ts';
import { storedLookups } from './stored.ts';
import { valueUntracked } from './untracked.ts';

export const CERT_RULE =
  'A cert has 5 to 20 digits, behind PSA, BGS, BECKETT, BVG, BCCG or CGC and a space or dash if you like; bare digits are PSA.';

export const certParams = Type.Object({
  cert: Type.String({ minLength: 1, maxLength: 400, description: CERT_RULE }),
});

export const certLookup = endpoint({
  id: 'gradedCert',
  summary: 'A slab by its cert number: card, grade and price',
  params: certParams,
  response: gradedLookup,
  maxAgeSeconds: 60,
  async handle(context, { params, gone }) {
    const cert = certOf(params.cert);
    const [stored] = await storedLookups(context, [cert]);
    if (context.valuer.mayTellMore(cert, stored!))
      return { body: await valueUntracked(context, cert, gone()), passing: true };
    const lookup = context.valuer.answerOf(cert, stored!);
    const { settled, changedMs } = stored!;
    return { body: lookup, lastModifiedMs: changedMs, ...pageOf(context.config.baseUrl, lookup), passing: !settled };
  },
});

/** Reads the cert of an address. Throws `invalid_cert`. */
export function certOf(text: string): ReadCert {
  const reading = readCert(text);
  if (reading.kind === 'invalid')
    throw new ProblemError('invalid_cert', CERT_RULE, {
      errors: [{ parameter: 'cert', code: 'invalid_cert', message: CERT_RULE }],
    });
  return reading;
}

function pageOf(baseUrl: string, { card }: GradedLookup): { pageUrl?: string } {
  return card === undefined ? {} : { pageUrl: baseUrl + card.href };
}
