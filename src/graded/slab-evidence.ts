import { gradeByKey } from '../catalog/grades.ts';
import type { SlabReading } from '../vision/slab/read-slab.ts';
import type { GradedLookup, SlabEvidence } from './shapes.ts';
import type { Art, SlabCard } from './slab-card.ts';
import type { SlabCert } from './slab-cert.ts';

type Check = SlabEvidence['checks'][number];

/** Words of a name that are this long tell something. */
const MIN_WORD = 3;

/**
 * What a photo showed and whether it fits the answer: how the cert was read, grade of the label and of the record, words
 * of the label and name of the card, art and card.
 */
export function evidenceOf(
  reading: SlabReading,
  cert: SlabCert,
  { card, art, lookup }: { card: SlabCard | null; art: Art; lookup: GradedLookup },
): SlabEvidence {
  const row = reading.grade?.key == null ? null : gradeByKey(reading.grade.key);
  return {
    company: reading.company,
    label: reading.rows,
    cert: cert.cert?.cert ?? null,
    gradeLabel: row?.label ?? reading.grade?.words ?? null,
    checks: [
      certCheck(cert),
      gradeCheck(row?.label ?? null, lookup),
      labelCheck(reading, card, lookup),
      artCheck(art, lookup),
    ],
  };
}

const CERT_PROBLEMS = {
  unread: 'No cert could be read.',
  unsure: 'A cert was read, but not surely enough to be taken.',
  contradicted: 'Readings of the cert contradict one another: none is taken.',
} as const;

function certCheck(cert: SlabCert): Check {
  if (cert.cert === null)
    return {
      check: 'cert',
      agrees: cert.problem === 'contradicted' ? false : null,
      detail: CERT_PROBLEMS[cert.problem],
    };
  const agrees = cert.shownBy === 'print and barcode' ? true : null;
  return { check: 'cert', agrees, detail: `${cert.cert.cert} was read from ${cert.shownBy}.` };
}

function gradeCheck(onLabel: string | null, { cert, gradeLabel }: GradedLookup): Check {
  if (onLabel === null) return { check: 'grade', agrees: null, detail: 'The grade on the label could not be read.' };
  if (cert === '' || gradeLabel === null)
    return { check: 'grade', agrees: null, detail: `The label says ${onLabel}; there is no record to compare.` };
  const agrees = gradeLabel === onLabel;
  return { check: 'grade', agrees, detail: `The label says ${onLabel}, the record ${gradeLabel}.` };
}

function labelCheck({ rows }: SlabReading, card: SlabCard | null, { card: summary }: GradedLookup): Check {
  if (summary === undefined) return { check: 'label', agrees: null, detail: 'No card is known to compare.' };
  if (card?.itemId != null && card.by !== 'art')
    return { check: 'label', agrees: true, detail: `The label tells the card ${summary.name}.` };
  const print = fold(rows.join(' '));
  const words = fold(summary.name)
    .split(' ')
    .filter((word) => word.length >= MIN_WORD);
  if (words.length === 0)
    return { check: 'label', agrees: null, detail: `The name ${summary.name} cannot be compared.` };
  const there = words.filter((word) => print.includes(word)).length;
  const agrees = there * 2 >= words.length;
  return { check: 'label', agrees, detail: `The label ${agrees ? 'has' : 'lacks'} the name ${summary.name}.` };
}

function artCheck({ ids, confidence }: Art, { card }: GradedLookup): Check {
  if (card === undefined || confidence === 'none')
    return { check: 'art', agrees: null, detail: 'The picture of the card was not recognised.' };
  if (ids.includes(card.id))
    return { check: 'art', agrees: true, detail: `The picture is like the card's (${confidence}).` };
  const isSure = confidence !== 'low';
  return {
    check: 'art',
    agrees: isSure ? false : null,
    detail: isSure ? 'The picture is of another card.' : 'The picture is not surely of another card.',
  };
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
