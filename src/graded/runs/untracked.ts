import type { ReadCert } from '../../catalog/cert.ts';
import type { GradedContext } from '../context.ts';
import type { GradedLookup } from '../shapes.ts';

/** The value of a cert of which too little is stored: waits for its valuation, as long as that may take. */
export async function valueUntracked(
  { valuer }: Pick<GradedContext, 'valuer'>,
  cert: ReadCert,
  signal: AbortSignal,
): Promise<GradedLookup> {
  const { runs, wholeMs, soFar } = valuer;
  for await (const { name, data } of runs.watch(cert, { forMs: wholeMs, signal })) {
    if (name === 'result') return JSON.parse(data) as GradedLookup;
  }
  return soFar(cert);
}
