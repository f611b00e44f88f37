import type { ReadCert } from '../../catalog/cert.ts';
import { isGame } from '../../catalog/games.ts';
import { gradeByKey } from '../../catalog/grades.ts';
import type { PublicTag } from '../../catalog/tags/tag.ts';
import { populationOfCert, readPopulations } from '../../items/population/read-population.ts';
import { readTags, summaryOf } from '../../items/summary.ts';
import { quotesOf, type SeriesQuote } from '../../pricing/read/quotes.ts';
import type { GradedContext } from '../context.ts';
import type { GradedLookup, Reason } from '../shapes.ts';
import { type KnownCert, knownCerts, type RegisteredCert } from './registry.ts';

/** What is stored of a cert, as an answer. */
export type StoredLookup = {
  lookup: GradedLookup;
  /** False: its card is unknown and no negative answer is in force: a valuation may find more. */
  tracked: boolean;
  /** It changes with a close, an import or a valuation only, all of which clear the caches; false where one may be under way. */
  settled: boolean;
  /** Its card and grade are known and have no price, and no negative answer is in force: markets may have more. */
  awaitsPrice: boolean;
  /** When it was registered, maybe without its card, or last changed; null for one that is not. */
  recordedAt: Date | null;
};

const SETTLED: ReadonlySet<Reason> = new Set([
  'no_grade_price',
  'deactivated',
  'company_unsupported',
  'withdrawn',
  'identity_suspect',
]);

/** What is stored of each cert, in the order of `certs`, repeats included; `not_ingested` for an untracked one. Two round trips to the database. */
export async function storedLookups(
  { db, clock }: Pick<GradedContext, 'db' | 'clock'>,
  certs: readonly ReadCert[],
): Promise<StoredLookup[]> {
  const known = await knownCerts(db, certs, clock());
  const itemIds = [...new Set(known.map(({ registered }) => registered?.item?.id).filter((id) => id !== undefined))];
  const graded = known.map(({ registered }) => ({
    itemId: registered?.item?.id ?? '',
    gradeKey: registered?.item == null ? null : registered.gradeKey,
  }));
  const [quotes, tagsOf, reports] =
    itemIds.length === 0
      ? [new Map<string, SeriesQuote[]>(), () => undefined, []]
      : await Promise.all([quotesOf(db, itemIds), readTags(db, itemIds), readPopulations(db, graded, null)]);
  return certs.map((cert, at) => {
    const { registered } = known[at]!;
    const item = registered?.item ?? null;
    const quote = item === null ? undefined : quotes.get(item.id)?.find((one) => one.gradeKey === registered!.gradeKey);
    const population = populationOfCert(reports[at] ?? null, registered?.counts ?? null, cert.company);
    const lookup = {
      ...lookupFrom(cert, known[at]!, quote, item === null ? undefined : tagsOf(item)),
      ...(population && { population }),
    };
    const { miss } = known[at]!;
    const tracked = lookup.reason !== 'not_ingested' || miss !== null;
    const settled = lookup.found || (miss === null && SETTLED.has(lookup.reason!));
    const awaitsPrice = lookup.reason === 'no_grade_price' && miss === null && registered!.gradeKey !== null;
    return { lookup, tracked, settled, awaitsPrice, recordedAt: registered?.updatedAt ?? null };
  });
}

/**
 * The answer from what is stored. A known card is always returned; one that cannot be priced has no grade, and null
 * in every field of its price.
 */
function lookupFrom(
  cert: ReadCert,
  known: KnownCert,
  quote: SeriesQuote | undefined,
  tags: PublicTag[] | undefined,
): GradedLookup {
  const { registered } = known;
  const { company } = cert;
  const certNumber = registered?.certNumber ?? cert.certNumber;
  const item = registered?.item ?? null;
  const row = registered?.gradeKey == null ? null : gradeByKey(registered.gradeKey);
  const answer = {
    cert: company + certNumber,
    certNumber,
    company,
    certImages: registered === null ? null : imagesOf(registered),
  };
  const obstacle = obstacleOf(company, known, quote);
  if (obstacle === null) {
    const card = summaryOf(item!, row!.key, quote, tags);
    return { ...answer, found: true, grade: row!.grade, gradeLabel: row!.label, card };
  }
  const { reason, warning } = obstacle;
  return {
    ...answer,
    found: false,
    grade: null,
    gradeLabel: row?.label ?? registered?.gradeLabel ?? null,
    ...(item === null ? {} : { card: summaryOf(item, null, undefined, tags) }),
    reason,
    ...(warning ? { warning } : {}),
  };
}

/** What keeps a cert from having a price; null when nothing does. */
function obstacleOf(
  company: ReadCert['company'],
  { registered, miss }: KnownCert,
  quote: SeriesQuote | undefined,
): { reason: Reason; warning?: string | null } | null {
  if (!isPricedCompany(company)) return { reason: 'company_unsupported' };
  if (registered === null) return miss ?? { reason: 'not_ingested' };
  const { state, item, certGame, gradeKey, gradeLabel } = registered;
  if (state === 'deactivated') return { reason: 'deactivated' };
  if (item === null) {
    if (certGame !== null && !isGame(certGame)) return { reason: 'game_unsupported' };
    return miss ?? { reason: 'not_ingested', warning: 'The cert is registered, but not which card it is of.' };
  }
  if (item.removed_at !== null) return { reason: 'withdrawn' };
  if (gradeKey === null && gradeLabel !== null) return { reason: 'no_grade_price' };
  if (quote?.priceUsdCents != null) return null;
  if (quote?.isWithheld) return { reason: 'identity_suspect' };
  const warning = gradeKey === null ? 'The grade is not known.' : 'The card has no price at this grade yet.';
  return miss ?? { reason: 'no_grade_price', warning };
}

function isPricedCompany(company: ReadCert['company']): boolean {
  return company === 'PSA' || company === 'BGS' || company === 'CGC';
}

function imagesOf({ imageFront: front, imageBack: back, item }: RegisteredCert): GradedLookup['certImages'] {
  const ofItem = item?.image_url ?? null;
  return front === null && back === null && ofItem === null ? null : { front, back, item: ofItem };
}
