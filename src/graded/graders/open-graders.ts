import type { CertCompany } from '../../catalog/cert.ts';
import type { Connection } from '../../connections.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { ConfigError } from '../../lib/config-error.ts';
import type { Grader, Graders } from './grader.ts';
import { openHttpJson } from './http-json.ts';
import { openPsa } from './psa.ts';

/** Opens the graders of the operator's connections. Throws ConfigError with every mistake of their settings. */
export function openGraders(world: ServiceClientWorld, connections: readonly Connection[]): Graders {
  const mistakes: string[] = [];
  const all = connections.flatMap((connection) => {
    try {
      return openOne(world, connection);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      mistakes.push(error.message);
      return [];
    }
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return {
    all,
    graderFor(company) {
      const own = all.filter((grader) => grader.company === company);
      return own.length > 1 ? inOrder(company, own) : (own[0] ?? null);
    },
  };
}

function openOne(world: ServiceClientWorld, connection: Connection): Grader[] {
  switch (connection.kind) {
    case 'psa':
      return [openPsa(world, connection)];
    case 'http-json':
      return openHttpJson(world, connection);
    default:
      throw new ConfigError(connection.mistake(['kind'], 'is not one of psa, http-json'));
  }
}

/**
 * Several graders of one company, queried in the order of the file until one knows the cert: an operator's own registry
 * before an API of few calls. A cert is unknown only when every one of them says so.
 */
function inOrder(company: CertCompany, graders: readonly Grader[]): Grader {
  return {
    id: graders.map(({ id }) => id).join('+'),
    displayName: graders.map(({ displayName }) => displayName).join(', '),
    company,
    async lookUp(certNumber, signal) {
      let notFound: Awaited<ReturnType<Grader['lookUp']>> = { kind: 'unknown' };
      for (const grader of graders) {
        const answer = await grader.lookUp(certNumber, signal);
        if (answer.kind === 'found') return answer;
        if (answer.kind === 'unavailable') notFound = answer;
      }
      return notFound;
    },
  };
}
