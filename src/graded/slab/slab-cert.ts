import { type ReadCert, readCert } from '../../catalog/cert.ts';
import { type CertSighting, isCertLike } from '../../vision/slab/cert-reading.ts';

/** A cert that a photo shows beyond doubt, and where it was read; or why it is not used. */
export type SlabCert =
  | { cert: ReadCert; shownBy: 'print and barcode' | 'barcode' | 'print' }
  | { cert: null; problem: 'unread' | 'unsure' | 'contradicted' };

/** Print alone must be read alike this often, and once with this confidence, which says little about bare digits. */
const SURE = 85;
const AGREEING_PRINTS = 3;
/** Lower digits are misread alike by every finish: 2 of 39 certs of made-up photos, 8.1 and 8.5 pixels high. */
const LEGIBLE_PX = 10;
/** Print that was read in part must have this many digits of the barcode in a row. */
const PARTLY = 6;

/**
 * The cert of a slab from all that was read of it. A barcode counts when print agrees with it: the same digits, or for
 * codes that check themselves a part of them; these also alone. Print alone counts when it is read alike in
 * several finishes, and large enough. Contradictory readings give no cert: a missing cert is better than a wrong one.
 */
export function certOfSlab(company: 'PSA' | 'BGS' | 'CGC', sightings: readonly CertSighting[]): SlabCert {
  const fits = (digits: string) => isCertLike(company, digits);
  const prints = new Map<string, { count: number; best: number; heightPx: number }>();
  for (const sighting of sightings) {
    if (sighting.by !== 'print' || !fits(sighting.digits)) continue;
    const { count = 0, best = 0, heightPx = 0 } = prints.get(sighting.digits) ?? {};
    prints.set(sighting.digits, {
      count: count + 1,
      best: Math.max(best, sighting.confidence),
      heightPx: Math.max(heightPx, sighting.heightPx),
    });
  }
  const [first, second] = [...prints].sort(([, a], [, b]) => b.count - a.count);
  const barcodes = new Map<string, boolean>();
  for (const sighting of sightings) {
    if (sighting.by === 'barcode') barcodes.set(unpadded(sighting.digits, fits), sighting.kind !== 'ITF');
  }
  const taken = (digits: string, shownBy: 'print and barcode' | 'barcode' | 'print'): SlabCert => {
    const cert = readCert(company + digits);
    return cert.kind === 'cert' ? { cert, shownBy } : { cert: null, problem: 'unread' };
  };
  if (barcodes.size > 1) return { cert: null, problem: 'contradicted' };
  for (const [digits, checksItself] of barcodes) {
    if (!fits(digits)) break;
    if (prints.has(digits)) return taken(digits, 'print and barcode');
    const strong = first !== undefined && first[1].count >= 2;
    if (strong) return { cert: null, problem: 'contradicted' };
    if (!checksItself) break;
    const isPartly = sightings.some(({ by, digits: read }) => by === 'print' && sharesRun(read, digits));
    return taken(digits, isPartly ? 'print and barcode' : 'barcode');
  }
  if (first === undefined) return { cert: null, problem: barcodes.size > 0 ? 'unsure' : 'unread' };
  if (second !== undefined && second[1].count > 1) return { cert: null, problem: 'contradicted' };
  const [digits, { count, best, heightPx }] = first;
  const isSure = count >= AGREEING_PRINTS && best >= SURE && heightPx >= LEGIBLE_PX;
  if (barcodes.size > 0 || !isSure) return { cert: null, problem: 'unsure' };
  // The three last digits of CGC's longer certs may have been missed.
  const isPart =
    company === 'CGC' && sightings.some((one) => one.digits.length > digits.length && one.digits.startsWith(digits));
  if (isPart) return { cert: null, problem: 'unsure' };
  return taken(digits, 'print');
}

/** Digits interleaved in pairs have a zero before an odd number of them. */
function unpadded(digits: string, fits: (digits: string) => boolean): string {
  return !fits(digits) && digits.startsWith('0') && fits(digits.slice(1)) ? digits.slice(1) : digits;
}

function sharesRun(read: string, digits: string): boolean {
  for (let from = 0; from + PARTLY <= read.length; from++) {
    if (digits.includes(read.slice(from, from + PARTLY))) return true;
  }
  return false;
}
