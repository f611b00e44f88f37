import { MintmarkProblem, openClient } from '../../src/index.ts';

const baseUrl = process.env.MINTMARK_URL ?? 'http://localhost:8080';

export const mintmark = openClient({ baseUrl });

/** A photo of the demo. */
export async function demoPhoto(): Promise<Blob> {
  return await (await fetch(`${baseUrl}/demo/photos/card-on-wood.jpg`)).blob();
}

/** Prints what is wrong with a request, and answers with nothing. */
export function sayProblem(problem: unknown): undefined {
  if (!(problem instanceof MintmarkProblem)) throw problem;
  console.log(problem.code, problem.message);
}

/** A card that a catalog has given an id of its source. */
export async function cardWithUpstreamId(): Promise<{ rid: string }> {
  const { results } = await mintmark.search({ q: 'Charizard', limit: 30 });
  const rid = results.map(({ upstreamItemId }) => upstreamItemId).find((one) => one !== null);
  if (rid === undefined) throw new Error('no card here has an upstream id');
  return { rid: rid! };
}

/** A card that has an id of another program, such as `tcgplayer`. */
export async function cardWithExternalId(): Promise<{ space: string; id: string }> {
  const { results } = await mintmark.search({ q: 'Charizard', limit: 30 });
  for (const { id } of results) {
    const { externalIds } = await mintmark.detailById({ id });
    const [first] = Object.entries(externalIds as Record<string, readonly string[]>);
    if (first !== undefined) return { space: first[0], id: first[1][0]! };
  }
  throw new Error('no card here has an id of another program');
}
