import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { invalidParameter, ProblemError } from '../http/problem.ts';
import { type ReadCert, readCert } from './cert.ts';
import { CERT_RULE } from './lookup.ts';
import { gradedLookup } from './shapes.ts';
import { storedLookups } from './stored.ts';

const MAX_CERTS = 50;

export const certLookups = endpoint({
  id: 'gradedCerts',
  summary: 'Many slabs by their cert numbers, in the order asked, from what is stored',
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
    const lastModifiedMs = Math.max(...stored.map(({ changedMs }) => changedMs));
    const passing = stored.some(({ settled }) => !settled);
    return { body: { results: stored.map(({ lookup }) => lookup) }, lastModifiedMs, passing };
  },
});

/** Reads the list, repeats included. Throws `invalid_cert` that names every member which is no cert. */
function certsOf(text: string): ReadCert[] {
  const members = text.split(',').map((member) => member.trim());
  if (members.length > MAX_CERTS)
    throw invalidParameter('certs', `certs takes at most ${MAX_CERTS} certs; ${members.length} were given.`);
  const readings = members.map(readCert);
  const errors = readings.flatMap((reading, at) =>
    reading.kind === 'invalid'
      ? [{ parameter: 'certs', code: 'invalid_cert', message: `Number ${at + 1}, "${members[at]}", is no cert.` }]
      : [],
  );
  if (errors.length > 0) throw new ProblemError('invalid_cert', `${errors[0]!.message} ${CERT_RULE}`, { errors });
  return readings.filter((reading) => reading.kind !== 'invalid');
}
