import Validator from '@adobe/structured-data-validator';
import AutoExtractor from '@marbec/web-auto-extractor';

export type Complaint = { rootType: string; issueMessage: string; severity: string; fieldNames: string[] };

/** The one accepted finding: Google expects offers of a Product, and without live listings there are none. */
export function isMissingOffers({ rootType, fieldNames }: Complaint): boolean {
  return rootType === 'Product' && fieldNames.includes('offers');
}

/** The blocks of structured data in a page, in order, as a crawler reads them. Throws for one that is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into blocks of every type
function blocksOf(html: string): any[] {
  return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) =>
    JSON.parse(json!),
  );
}

/** The one block of a type; undefined when the page has none. */
export function blockOf(html: string, type: string) {
  const found = blocksOf(html).filter((block) => block['@type'] === type);
  if (found.length > 1) throw new Error(`${found.length} blocks are a ${type}`);
  return found[0];
}

export function typesOf(html: string): string[] {
  return blocksOf(html).map((block) => block['@type']);
}

/** Errors (not mere recommendations) of Google's rules for the types that have any, checked offline. */
export async function complaintsOf(html: string): Promise<Complaint[]> {
  const found = new AutoExtractor({ addLocation: true }).parse(html);
  if (found.errors.length > 0) throw new Error(`unreadable structured data: ${JSON.stringify(found.errors)}`);
  const issues = await new Validator().validate(found);
  return issues.filter(({ severity }) => severity === 'ERROR');
}
