import type { Context } from '../http/context.ts';
import type { Advice } from '../vision/slab/advice.ts';
import type { SlabReading } from '../vision/slab/read-slab.ts';
import type { ReadCert } from './cert.ts';
import type { GradedLookup } from './shapes.ts';
import { type Art, artOf, cardOf, labelledItem, lookupOfCard, lowered, type SlabCard } from './slab-card.ts';
import { certOfSlab, type SlabCert } from './slab-cert.ts';
import { evidenceOf } from './slab-evidence.ts';
import { ended, type Progress, running } from './stages.ts';
import { storedLookups } from './stored.ts';

/** How the valuation of a photo ends: with a lookup, or with advice for another photo. */
export type SlabOutcome = { lookup: GradedLookup } | { failed: string };

/** A label takes a second or two; a machine with much to do, or a worker that has just started, longer. */
const READ_MS = 40_000;

const ADVICE: Record<Advice, string> = {
  too_small: 'No label of a slab can be read: the photo is too small. Take it from nearer, 1,500 pixels or more.',
  blur: 'No label of a slab can be read: the photo is blurred. Hold still, and touch the label to focus.',
  glare: 'No label of a slab can be read: light mirrors in the plastic. Tilt the slab, or move the lamp aside.',
  cut_off: 'No label of a slab can be found. Show the whole slab, upright, with its label.',
};

/** Reads a photo of a slab and values it, telling of each stage: by its cert, or else by its label and its art. */
export async function* valueSlab(
  context: Context,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<Progress, SlabOutcome> {
  yield running('cert_lookup', 'Reading the label in the photo.');
  const reading = await context.vision.run('readSlab', { bytes }, { signal, move: true, timeoutMs: READ_MS });
  if (reading.kind === 'unreadable') return { failed: ADVICE[reading.advice] };
  // Looked at while the cert is looked up: it is compared with what comes of that.
  const art = artOf(context, reading.below, signal);
  const cert = certOfSlab(reading.company, reading.certs);
  const data = { company: reading.company, cert: cert.cert?.cert ?? null, gradeLabel: reading.grade?.words ?? null };
  yield ended(
    'cert_lookup',
    'ok',
    cert.cert === null ? 'The label is read, but no cert.' : `It is ${cert.cert.cert}.`,
    data,
  );
  if (cert.cert !== null) {
    const lookup = yield* byCert(context, cert.cert, signal);
    // The cert may be known, but not its card: that can be seen.
    if (lookup.card !== undefined || lookup.reason === 'deactivated')
      return { lookup: withEvidence(reading, cert, { card: null, art: await art, lookup }) };
    const { card, lookup: seen } = yield* byCard(context, reading, art, signal);
    const { certImages } = lookup;
    const known = { ...seen, cert: cert.cert.cert, certNumber: cert.cert.certNumber };
    const warning = `${lookup.warning ?? `Nothing is known of the cert.`} ${card.itemId === null ? card.why : `The card is known by its ${card.by}.`}`;
    const told =
      card.itemId === null ? { ...lookup, warning } : { ...known, certImages: certImages ?? seen.certImages, warning };
    return { lookup: withEvidence(reading, cert, { card, art: await art, lookup: told }) };
  }
  const { card, lookup } = yield* byCard(context, reading, art, signal);
  yield ended('done', 'ok', lookup.found ? 'The slab is priced.' : `There is no price: ${lookup.reason}.`, {
    found: lookup.found,
  });
  return { lookup: withEvidence(reading, cert, { card, art: await art, lookup }) };
}

/** The same as the lookup of the cert: what is stored, or a valuation that is followed. */
async function* byCert(
  { db, clock, valuer }: Context,
  cert: ReadCert,
  signal: AbortSignal,
): AsyncGenerator<Progress, GradedLookup> {
  const [stored] = await storedLookups({ db, clock }, [cert]);
  if (!valuer.mayTellMore(cert, stored!)) return valuer.answerOf(cert, stored!);
  for await (const { name, data } of valuer.runs.watch(cert, { forMs: valuer.wholeMs, signal })) {
    if (name === 'result') return JSON.parse(data) as GradedLookup;
    yield JSON.parse(data) as Progress;
  }
  return valuer.soFar(cert);
}

/** By what is printed on the label and what the card looks like. */
async function* byCard(
  context: Context,
  reading: SlabReading,
  art: Promise<Art>,
  signal: AbortSignal,
): AsyncGenerator<Progress, { card: SlabCard; lookup: GradedLookup }> {
  yield running('find_item', 'Looking for the card by its label and its picture.');
  const card = cardOf(await labelledItem(context, reading, signal), await art);
  if (card.itemId === null) yield ended('find_item', 'error', card.why);
  else yield ended('find_item', 'ok', `The card is found by its ${card.by}.`, { itemId: card.itemId });
  const lookup = await lookupOfCard(context, reading, card);
  yield ended('fmv', lookup.found ? 'ok' : 'skipped', lookup.found ? 'It is priced.' : 'There is no price.');
  return { card, lookup };
}

/** The lookup with what the photo showed; where that does not fit, it is less sure, and says so. */
function withEvidence(
  reading: SlabReading,
  cert: SlabCert,
  seen: { card: SlabCard | null; art: Art; lookup: GradedLookup },
): GradedLookup {
  const evidence = evidenceOf(reading, cert, seen);
  const { lookup } = seen;
  const against = evidence.checks.filter(({ check, agrees }) => agrees === false && check !== 'cert');
  const several = reading.others > 0 ? ['Several slabs are in the photo; this is the one nearest to its middle.'] : [];
  const warnings = [lookup.warning, ...against.map(({ detail }) => detail), ...several].filter(Boolean);
  const card = lookup.card && against.length > 0 ? { card: lowered(lookup.card) } : {};
  return { ...lookup, ...card, ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}), evidence };
}
