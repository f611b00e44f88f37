import type { Logger } from 'pino';
import type { CertCompany, ReadCert } from '../../catalog/cert.ts';
import { gradeOf } from '../../catalog/grades.ts';
import type { Db } from '../../db/client.ts';
import { type CrawledSource, type CrawlReport, crawlSeries } from '../../sales/crawl/crawl.ts';
import type { SaleSource } from '../../sales/sources/source.ts';
import type { TitleBook } from '../../sales/titles.ts';
import { keepMiss, keepRecord, MISS_MS, type Miss, missOf, OUTAGE_MS } from '../certs/keep.ts';
import { knownCerts } from '../certs/registry.ts';
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

/** A step of the pipeline: reports itself, and comes to a negative answer or what the next step needs. */
type Step<Found> = AsyncGenerator<RunProgress, { miss: Miss } | { found: Found }>;

/**
 * The value of a cert that is not known well enough: reports each stage and returns what the lookup answers. What it
 * finds is stored as it is found, and what is stored already is not asked for again, so that it can be taken up anywhere.
 * A stage that hangs or fails costs its own time only. Once the signal aborts it ends soon and means nothing.
 */
export async function* value(
  world: ValuationWorld,
  cert: ReadCert,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, GradedLookup> {
  const { db, clock } = world;
  yield running('cert_lookup', `Looking for ${cert.cert} among the registered certs.`);
  const [known] = await knownCerts(db, [cert], clock());
  const registered = known!.registered;
  const what =
    registered === null ? 'not registered' : `registered${registered.item === null ? ' without a card' : ''}`;
  yield ended('cert_lookup', 'ok', `${cert.cert} is ${what}.`, { registered: registered !== null });

  // Another run came to it since this one was asked for.
  if (known!.miss !== null) return yield* finished((await storedOf(world, cert)).lookup);
  if (registered === null || registered.item === null) {
    const step = yield* registered === null
      ? identifyAndFind(world, cert, signal)
      : findRegistered(world, cert, signal);
    if ('miss' in step) return yield* unpriced(world, cert, step.miss, signal);
  }
  yield running('cache_check', 'Looking whether the card has a price at this grade.');
  const before = await storedOf(world, cert);
  const { lookup } = before;
  const names = lookup.card && { name: lookup.card.name, href: lookup.card.href, gradeLabel: lookup.gradeLabel };
  const checked = lookup.found ? 'It has a price.' : before.awaitsPrice ? 'It has none yet.' : 'It cannot have one.';
  yield ended('cache_check', 'ok', checked, { found: lookup.found, ...names });
  if (!before.awaitsPrice) return yield* finished(lookup);
  const crawled = yield* crawl(world, cert, signal);
  return 'miss' in crawled ? yield* unpriced(world, cert, crawled.miss, signal) : yield* finished(crawled.found);
}

/** Asks the grader what stands on the slab, and which card that is. */
async function* identifyAndFind(world: ValuationWorld, cert: ReadCert, signal: AbortSignal): Step<string> {
  const { graders, wholeMs } = world;
  const grader = graders.graderFor(cert.company as CertCompany);
  if (grader === null) {
    const warning = `No grader is connected for ${cert.company}.`;
    yield ended('identify', 'skipped', warning);
    return { miss: { reason: 'not_ingested', warning, forMs: 0 } };
  }
  yield running('identify', `Asking ${grader.displayName}.`);
  const ask = (limit: AbortSignal) => grader.lookUp(cert.certNumber, limit);
  const answer = await within(ask, stageMs('identify', wholeMs), signal);
  const miss = missOf(grader.displayName, answer);
  if (miss !== null || answer?.kind !== 'found') {
    yield ended('identify', 'error', miss!.warning);
    return { miss: miss! };
  }
  const { record } = answer;
  yield ended('identify', 'ok', `${grader.displayName} knows the cert.`, { label: record.label.text });
  yield running('enrich', 'Reading the label.');
  await keepRecord(world, cert, record, null);
  yield ended('enrich', 'ok', 'The label is read.', labelData(record));
  const words = cardWords(record);
  return yield* findItem(world, words, (itemId) => keepRecord(world, cert, record, itemId), signal);
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

/** A cert whose label is registered, but not its card: the catalog may have it by now. */
async function* findRegistered(world: ValuationWorld, cert: ReadCert, signal: AbortSignal): Step<string> {
  const { db } = world;
  const [row] = await db.query<{ label: string | null }>(
    'select label from certs where company = $1 and cert_key = $2',
    [cert.company, cert.key],
  );
  yield ended('identify', 'skipped', 'Its label is registered.');
  if (!row?.label) {
    const warning = 'The cert is registered, but not which card it is of.';
    yield ended('find_item', 'skipped', warning);
    return { miss: { reason: 'not_ingested', warning, forMs: MISS_MS } };
  }
  const keep = (itemId: string) =>
    db.query(
      `update certs c set item_id = i.id, game = i.game, updated_at = now() from items i
       where i.id = $3 and c.company = $1 and c.cert_key = $2 and c.item_id is null`,
      [cert.company, cert.key, itemId],
    );
  return yield* findItem(world, row.label, keep, signal);
}

async function* findItem(
  { labels, wholeMs }: ValuationWorld,
  words: string,
  keep: (itemId: string) => Promise<unknown>,
  signal: AbortSignal,
): Step<string> {
  yield running('find_item', 'Looking for the card in the catalog.');
  const book = await within(labels, stageMs('find_item', wholeMs), signal);
  if (book === null) {
    const warning = 'The catalog could not be read in time. Ask again in some minutes.';
    yield ended('find_item', 'error', warning);
    return { miss: { reason: 'compute_incomplete', warning, forMs: OUTAGE_MS } };
  }
  const match = book.match(words);
  if (match.itemId === null) {
    const { reason, warning } = unmatched(words, match);
    yield ended('find_item', 'error', warning);
    return { miss: { reason, warning, forMs: MISS_MS } };
  }
  await keep(match.itemId);
  yield ended('find_item', 'ok', 'The card is found.', { itemId: match.itemId });
  return { found: match.itemId };
}

/** Asks the markets for the card at its grade, and reads its price again. */
async function* crawl(world: ValuationWorld, cert: ReadCert, signal: AbortSignal): Step<GradedLookup> {
  const { db, markets, wholeMs, clock } = world;
  const [known] = await knownCerts(db, [cert], clock());
  const { item, gradeKey } = known!.registered!;
  if (markets.length === 0) {
    yield ended('crawl', 'skipped', 'No market is connected.');
    return { found: (await storedOf(world, cert)).lookup };
  }
  const names = markets.map(({ name }) => name).join(', ');
  yield ended('match', 'ok', `The series to ask for is ${item!.name}, ${gradeKey}.`, { itemId: item!.id, gradeKey });
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
    return { found: lookup };
  }
  const warning = isDead ? 'No market could be asked. Ask again in some minutes.' : 'No market has a sale of it.';
  yield ended('fmv', 'error', warning);
  const forMs = failed.length > 0 ? OUTAGE_MS : MISS_MS;
  return { miss: { reason: isDead ? 'compute_incomplete' : 'no_grade_price', warning, forMs } };
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

/** Ends without a price: the answer is kept for a while, unless the client disconnected. */
async function* unpriced(
  world: ValuationWorld,
  cert: ReadCert,
  miss: Miss,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, GradedLookup> {
  if (miss.forMs > 0 && !signal.aborted) await keepMiss(world.db, cert, miss, world.clock());
  const { lookup } = await storedOf(world, cert);
  const { reason, warning } = miss;
  // What is stored may know better: deactivated, a game that is not tracked.
  return yield* finished(lookup.reason === 'not_ingested' ? { ...lookup, reason, warning } : lookup);
}

async function* finished(lookup: GradedLookup): AsyncGenerator<RunProgress, GradedLookup> {
  yield ended('done', 'ok', endMessage(lookup), { found: lookup.found });
  return lookup;
}
