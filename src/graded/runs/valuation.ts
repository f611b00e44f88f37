import type { Logger } from 'pino';
import type { CertCompany, ReadCert } from '../../catalog/cert.ts';
import { gradeByKey, gradeOf } from '../../catalog/grades.ts';
import type { Db } from '../../db/client.ts';
import { type CrawledSource, type CrawlReport, crawlSeries } from '../../sales/crawl/crawl.ts';
import type { SaleSource } from '../../sales/sources/source.ts';
import type { TitleBook } from '../../sales/titles.ts';
import { keepItem, keepMiss, keepRecord, MISS_MS, type Miss, missOf, OUTAGE_MS } from '../certs/keep.ts';
import { knownCerts, type RegisteredCert } from '../certs/registry.ts';
import { type StoredLookup, storedLookups } from '../certs/stored.ts';
import type { CertRecord, Graders } from '../graders/grader.ts';
import { endMessage } from '../reasons.ts';
import type { GradedLookup } from '../shapes.ts';
import { cardWords, type LabelShelf, unmatched } from '../slab/find-item.ts';
import { ended, type RunProgress, running, stageMs, within } from './stages.ts';

/** What a valuation works with. */
type ValuationWorld = {
  db: Db;
  log: Logger;
  clock: () => number;
  baseUrl: string;
  graders: Graders;
  markets: readonly SaleSource[];
  titles: TitleBook;
  labels: LabelShelf;
  /** How long one should take as a whole. */
  wholeMs: number;
};

/** A step of the pipeline: reports itself, and returns a negative answer or null, after which the next step follows. */
type Step = AsyncGenerator<RunProgress, Miss | null>;

/**
 * The value of a cert that is not known well enough: reports each stage and returns what the lookup answers. What it
 * finds is stored as it is found, and what is stored already is not requested again, so that any process can take it up.
 * A stage that hangs or fails costs its own time only. Once the signal aborts it ends soon and its answer is void.
 */
export async function* value(
  world: ValuationWorld,
  cert: ReadCert,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, GradedLookup> {
  yield running('cert_lookup', `Looking for ${cert.cert} in our records.`);
  const [known] = await knownCerts(world.db, [cert], world.clock());
  const registered = known!.registered;
  const what =
    registered === null
      ? 'Not in our records yet'
      : `In our records${registered.item === null ? ', without its card' : ''}`;
  yield ended('cert_lookup', 'ok', `${what}.`, { registered: registered !== null });

  // Another run has stored a negative answer since this one was requested.
  const miss = known!.miss === null ? yield* steps(world, cert, registered, signal) : null;
  if (miss !== null && miss.forMs > 0 && !signal.aborted) await keepMiss(world.db, cert, miss, world.clock());
  const { lookup: stored } = await storedOf(world, cert);
  // What is stored may be more specific: deactivated, a game that is not tracked.
  const isUnknown = miss !== null && stored.reason === 'not_ingested';
  const lookup = isUnknown ? { ...stored, reason: miss.reason, warning: miss.warning } : stored;
  yield ended('done', 'ok', endMessage(lookup), { found: lookup.found });
  return lookup;
}

async function* steps(
  world: ValuationWorld,
  cert: ReadCert,
  registered: RegisteredCert | null,
  signal: AbortSignal,
): Step {
  if (registered === null || registered.item === null) {
    const words = registered === null ? yield* identify(world, cert, signal) : yield* registeredWords(registered);
    const miss = typeof words === 'string' ? yield* findItem(world, cert, words, signal) : words;
    if (miss !== null) return miss;
  }
  yield running('cache_check', 'Checking for a price at this grade.');
  const { lookup, awaitsPrice } = await storedOf(world, cert);
  const names = lookup.card && { name: lookup.card.name, href: lookup.card.href, gradeLabel: lookup.gradeLabel };
  const checked = lookup.found ? 'It has a price.' : awaitsPrice ? 'No price yet.' : 'This grade is not priced.';
  yield ended('cache_check', 'ok', checked, { found: lookup.found, ...names });
  return awaitsPrice ? yield* crawl(world, cert, signal) : null;
}

/** Queries the grader for the label of the slab, registers the cert, and returns the words that identify its card. */
async function* identify(
  world: ValuationWorld,
  cert: ReadCert,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, string | Miss> {
  const { graders, wholeMs } = world;
  const grader = graders.graderFor(cert.company as CertCompany);
  if (grader === null) {
    const warning = `No grader is connected for ${cert.company}.`;
    yield ended('identify', 'skipped', warning);
    return { reason: 'not_ingested', warning, forMs: 0 };
  }
  yield running('identify', `Asking ${grader.displayName}.`);
  const lookUp = (limit: AbortSignal) => grader.lookUp(cert.certNumber, limit);
  const answer = await within(lookUp, stageMs('identify', wholeMs), signal);
  if (answer?.kind !== 'found') {
    const miss = missOf(grader.displayName, answer);
    yield ended('identify', 'error', miss.warning);
    return miss;
  }
  const { record } = answer;
  yield ended('identify', 'ok', `${grader.displayName} has a record of it.`, { label: record.label.text });
  yield running('enrich', 'Reading the label.');
  await keepRecord(world, cert, record);
  yield ended('enrich', 'ok', 'Label read.', labelData(record));
  return cardWords(record);
}

function labelData(record: CertRecord): Record<string, unknown> {
  const { year, setText, cardNumber, subject, variety, language } = record.label;
  const grade = gradeOf(record.company, record.gradeText);
  return {
    grade: grade?.grade ?? null,
    gradeLabel: grade?.label ?? record.gradeText,
    isDeactivated: record.isDeactivated,
    label: { year, set: setText, cardNumber, subject, variety, language },
  };
}

/** The label of a cert that is registered without its card: the catalog may have it by now. */
async function* registeredWords({ label }: RegisteredCert): AsyncGenerator<RunProgress, string | Miss> {
  yield ended('identify', 'skipped', 'Its label is in our records.');
  if (label) return label;
  const warning = 'The cert is registered, but not which card it is of.';
  yield ended('find_item', 'skipped', warning);
  return { reason: 'not_ingested', warning, forMs: MISS_MS };
}

async function* findItem(
  { db, labels, wholeMs }: ValuationWorld,
  cert: ReadCert,
  words: string,
  signal: AbortSignal,
): Step {
  yield running('find_item', 'Looking for the card in the catalog.');
  const book = await within(labels, stageMs('find_item', wholeMs), signal);
  if (book === null) {
    const warning = 'The catalog could not be read in time. Try again in some minutes.';
    yield ended('find_item', 'error', warning);
    return { reason: 'compute_incomplete', warning, forMs: OUTAGE_MS };
  }
  const match = book.match(words);
  if (match.itemId === null) {
    const { reason, warning } = unmatched(words, match);
    yield ended('find_item', 'error', warning);
    return { reason, warning, forMs: MISS_MS };
  }
  await keepItem(db, cert, match.itemId);
  yield ended('find_item', 'ok', 'Card found.', { itemId: match.itemId });
  return null;
}

/** Queries the markets for the card at its grade, and reads its price again. */
async function* crawl(world: ValuationWorld, cert: ReadCert, signal: AbortSignal): Step {
  const { db, markets, wholeMs, clock } = world;
  if (markets.length === 0) {
    yield ended('crawl', 'skipped', 'No market is connected.');
    return null;
  }
  const [known] = await knownCerts(db, [cert], clock());
  const { item, gradeKey } = known!.registered!;
  const names = markets.map(({ name }) => name).join(', ');
  yield ended('match', 'ok', `Looking for sales of ${item!.name}, ${gradeByKey(gradeKey!)!.label}.`, {
    itemId: item!.id,
    gradeKey,
  });
  yield running('crawl', `Asking ${names}.`);
  const withinMs = stageMs('crawl', wholeMs);
  const report = await crawlSeries(world, { itemId: item!.id, gradeKey: gradeKey! }, signal, withinMs);
  const sources = report?.sources ?? [];
  const failed = sources.filter(({ problem }) => problem !== null);
  const isDead = failed.length === sources.length;
  yield ended('crawl', isDead ? 'error' : 'ok', crawlMessage(sources, failed), crawlData(report));
  yield running('fmv', 'Pricing the card at this grade.');
  const { lookup } = await storedOf(world, cert);
  if (lookup.found) {
    yield ended('fmv', 'ok', 'It is priced.', { priceUsdCents: lookup.card!.priceUsdCents });
    return null;
  }
  const warning = isDead ? 'No market could be reached. Try again in some minutes.' : 'No market has a sale of it.';
  yield ended('fmv', 'error', warning);
  const forMs = failed.length > 0 ? OUTAGE_MS : MISS_MS;
  return { reason: isDead ? 'compute_incomplete' : 'no_grade_price', warning, forMs };
}

function crawlMessage(sources: readonly CrawledSource[], failed: readonly CrawledSource[]): string {
  const added = sources.reduce((sum, one) => sum + one.added, 0);
  const without = failed.length === 0 ? '' : ` No whole answer from ${failed.map(({ name }) => name).join(', ')}.`;
  return `${added} ${added === 1 ? 'sale is' : 'sales are'} new.${without}`;
}

function crawlData(report: CrawlReport | null): Record<string, unknown> {
  const sources = (report?.sources ?? []).map(({ source, name, sales, listings, added, problem, tookMs }) => ({
    source,
    name,
    sales,
    listings,
    added,
    problem: problem?.reason ?? null,
    tookMs,
  }));
  return { added: report?.added ?? 0, sources };
}

async function storedOf(world: ValuationWorld, cert: ReadCert): Promise<StoredLookup> {
  return (await storedLookups(world, [cert]))[0]!;
}
