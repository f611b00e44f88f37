import { Type } from 'typebox';
import { type ReadCert, readCert } from '../catalog/cert.ts';
import { quoted } from '../http/allowed.ts';
import { endpoint } from '../http/endpoint.ts';
import { invalidParameter, ProblemError } from '../http/problem.ts';
import { storedLookups } from './certs/stored.ts';
import { CERT_RULE } from './lookup.ts';
import { gradedLookup } from './shapes.ts';

const MAX_CERTS = 50;

export const certLookups = endpoint({
  id: 'gradedCerts',
  reads: 'primary',
  summary: 'Many slabs by their cert numbers, in the order of the request, from what is stored',
  query: Type.Object({
    certs: Type.String({
      maxLength: MAX_CERTS * 40,
      description: `Comma-separated certs, at most ${MAX_CERTS}. ${CERT_RULE}`,
    }),
  }),
  response: Type.Object({ results: Type.Array(gradedLookup, { maxItems: MAX_CERTS }) }),
  maxAgeSeconds: 60,
  async handle(context, { query }) {
    const stored = await storedLookups(context, certsOf(query.certs));
    const noStore = stored.some(({ settled }) => !settled);
    return { body: { results: stored.map(({ lookup }) => lookup) }, noStore };
  },
});

/** Reads the list, repeats included. Throws `invalid_cert` that names every member which is not a cert. */
function certsOf(text: string): ReadCert[] {
  const members = text.split(',').map((member) => member.trim());
  if (members.length > MAX_CERTS)
    throw invalidParameter('certs', `certs must be at most ${MAX_CERTS} certs; got ${members.length}.`);
  const readings = members.map(readCert);
  const errors = readings.flatMap((reading, at) =>
    reading.kind === 'invalid'
      ? [
          {
            parameter: 'certs',
            code: 'invalid_cert',
            message: `certs must be cert numbers; got ${quoted(members[at])} at place ${at + 1}.`,
          },
        ]
      : [],
  );
  if (errors.length > 0) throw new ProblemError('invalid_cert', `${errors[0]!.message} ${CERT_RULE}`, { errors });
  return readings.filter((reading) => reading.kind !== 'invalid');
}
