import type { ReadCert } from '../../catalog/cert.ts';
import type { Advice } from '../../vision/slab/advice.ts';
import type { SlabReading } from '../../vision/slab/read-slab.ts';
import type { GradedContext } from '../context.ts';
import { endMessage, whyUnpriced } from '../reasons.ts';
import { ended, inOrder, type RunProgress, running } from '../runs/stages.ts';
import type { GradedLookup } from '../shapes.ts';
import { type Art, artOf, cardOf, labelledItem, lookupOfCard, lowered, type SlabCard } from './slab-card.ts';
import { certOfSlab, type SlabCert } from './slab-cert.ts';
import { evidenceOf, gradeLabelOf } from './slab-evidence.ts';

/** How the valuation of a photo ends: with a lookup, or with advice for another photo. */
export type SlabOutcome = { lookup: GradedLookup } | { failed: string };

const ADVICE: Record<Advice, string> = {
  too_small: 'No label of a slab can be read: the photo is too small. Take it from nearer, 1,500 pixels or more.',
  blur: 'No label of a slab can be read: the photo is blurred. Hold still, and touch the label to focus.',
  glare: 'No label of a slab can be read: light mirrors in the plastic. Tilt the slab, or move the lamp aside.',
  cut_off: 'No label of a slab can be found. Show the whole slab, upright, with its label.',
};

/** Reads a photo of a slab and values it, stage by stage: by its cert, or else by its label and its art. */
export function valueSlab(
  context: GradedContext,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, SlabOutcome> {
  return inOrder(stepsOf(context, bytes, signal));
}

async function* stepsOf(
  context: GradedContext,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, SlabOutcome> {
  yield running('cert_lookup', 'Reading the label in the photo.');
  const reading = await context.vision.run('readSlab', { bytes }, { signal });
  if (reading.kind === 'unreadable') return { failed: ADVICE[reading.advice] };
  // Recognized while the cert is looked up, and then compared with its record.
  const art = artOf(context, reading.below, signal);
  const slabCert = certOfSlab(reading.company, reading.certs);
  const { cert } = slabCert;
  const data = { company: reading.company, cert: cert?.cert ?? null, gradeLabel: gradeLabelOf(reading) };
  const read = cert === null ? 'The label was read, but not its cert.' : `The label reads ${cert.cert}.`;
  yield ended('cert_lookup', 'ok', read, data);
  const byCard = () => lookupByCard(context, reading, art, signal);
  const found =
    cert === null ? { record: null, ...(yield* byCard()) } : yield* byCertOrCard(context, cert, byCard, signal);
  yield ended('done', 'ok', endMessage(found.lookup), { found: found.lookup.found });
  return { lookup: withEvidence(reading, slabCert, found, await art) };
}

/** The answer for a slab, with the card by its label and art (null: not compared) and the record of its cert. */
type SlabAnswer = { card: SlabCard | null; record: GradedLookup | null; lookup: GradedLookup };
type ByCard = AsyncGenerator<RunProgress, { card: SlabCard; lookup: GradedLookup }>;

/** By the cert; where the card of the cert is not known, by what the photo shows. */
async function* byCertOrCard(
  context: GradedContext,
  cert: ReadCert,
  byCard: () => ByCard,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, SlabAnswer> {
  const { lookup: record, withheld } = yield* byCert(context, cert, signal);
  if (record.card !== undefined || record.reason === 'deactivated') {
    yield* withheld;
    return { card: null, record, lookup: record };
  }
  const { card, lookup: seen } = yield* byCard();
  const known = card.itemId === null ? card.why : `The card was identified by its ${card.by}.`;
  const warning = `${whyUnpriced(record)} ${known}`;
  if (card.itemId === null) return { card, record, lookup: { ...record, warning } };
  const certImages = record.certImages ?? seen.certImages;
  const lookup = { ...seen, cert: cert.cert, certNumber: cert.certNumber, certImages, warning };
  return { card, record, lookup };
}

/**
 * The same as the lookup of the cert: what is stored, or a valuation that is followed. A card that it does not find may
 * still be seen in the photo, so that event is withheld; and a photo has its own last event.
 */
async function* byCert(
  { valuer }: GradedContext,
  cert: ReadCert,
  signal: AbortSignal,
): AsyncGenerator<RunProgress, { lookup: GradedLookup; withheld: RunProgress[] }> {
  const { lookup, mayFindMore } = await valuer.stored(cert);
  if (!mayFindMore) return { lookup, withheld: [] };
  const withheld: RunProgress[] = [];
  for await (const { name, data } of valuer.runs.watch(cert, { forMs: valuer.wholeMs, signal })) {
    if (name === 'result') return { lookup: JSON.parse(data) as GradedLookup, withheld };
    const news = JSON.parse(data) as RunProgress;
    if (news.stage === 'done') continue;
    if (news.stage === 'find_item' && news.done && news.status !== 'ok') withheld.push(news);
    else yield news;
  }
  return { lookup: await valuer.soFar(cert), withheld };
}

/** By what is printed on the label and what the card looks like. */
async function* lookupByCard(
  context: GradedContext,
  reading: SlabReading,
  art: Promise<Art>,
  signal: AbortSignal,
): ByCard {
  yield running('find_item', 'Looking for the card by its label and its picture.');
  const card = cardOf(await labelledItem(context, reading, signal), await art);
  if (card.itemId === null) yield ended('find_item', 'error', card.why);
  else yield ended('find_item', 'ok', `The card is found by its ${card.by}.`, { itemId: card.itemId });
  const lookup = await lookupOfCard(context, reading, card);
  yield ended('fmv', lookup.found ? 'ok' : 'skipped', lookup.found ? 'It is priced.' : whyUnpriced(lookup));
  return { card, lookup };
}

/** The warning of a photo with more slabs than the one that was read. */
export const SEVERAL_SLABS = 'Several slabs found; showing the one closest to the centre.';

/** The lookup with what the photo showed; where that does not fit, it is less certain, and says so. */
function withEvidence(
  reading: SlabReading,
  cert: SlabCert,
  { card, record, lookup }: SlabAnswer,
  art: Art,
): GradedLookup {
  const recordGrade = record?.gradeLabel ?? null;
  const evidence = evidenceOf(reading, cert, { summary: lookup.card, card, art, recordGrade });
  const against = evidence.checks.filter(({ check, agrees }) => agrees === false && check !== 'cert');
  const several = reading.others > 0 ? [SEVERAL_SLABS] : [];
  const warnings = [lookup.warning, ...against.map(({ detail }) => detail), ...several].filter(Boolean);
  const summary = lookup.card && against.length > 0 ? { card: lowered(lookup.card) } : {};
  return { ...lookup, ...summary, ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}), evidence };
}
