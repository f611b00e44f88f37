import { gradeByKey, gradeOf } from '../../catalog/grades.ts';
import { foldWords } from '../../catalog/words/fold.ts';
import { isNearly } from '../../lib/nearly.ts';
import type { SlabReading } from '../../vision/slab/read-slab.ts';
import type { SlabEvidence } from '../shapes.ts';
import type { Art, SlabCard } from './slab-card.ts';
import type { SlabCert } from './slab-cert.ts';

type Check = SlabEvidence['checks'][number];

/** What the photo is compared with. */
export type SeenOnSlab = {
  /** The card of the answer. */
  summary: { id: string; name: string } | undefined;
  /** How the photo identified it; null where the record of the cert names it. */
  card: SlabCard | null;
  art: Art;
  /** The grade in the record of the cert; null without a record. */
  recordGrade: string | null;
};

/** What a photo showed, and four checks. A check compares two independent readings, or states that it could not. */
export function evidenceOf(
  reading: Pick<SlabReading, 'company' | 'legible' | 'rows' | 'grade'>,
  cert: SlabCert,
  seen: SeenOnSlab,
): SlabEvidence {
  const row = reading.grade?.key == null ? null : gradeByKey(reading.grade.key);
  return {
    company: reading.company,
    label: reading.legible,
    cert: cert.cert?.cert ?? null,
    gradeLabel: gradeLabelOf(reading),
    checks: [
      { check: 'cert', ...certCheck(cert) },
      { check: 'grade', ...gradeCheck(row, seen.recordGrade) },
      { check: 'label', ...labelCheck(reading.rows, seen) },
      { check: 'art', ...artCheck(seen) },
    ],
  };
}

/** The grade on a label, or the words by which it has none; uncertain words alone do not name a grade. */
export function gradeLabelOf({ grade }: Pick<SlabReading, 'grade'>): string | null {
  if (grade?.key != null) return gradeByKey(grade.key)!.label;
  return /AUTHENTIC|ALTERED/.test(grade?.words ?? '') ? grade!.words : null;
}

type CheckOutcome = Omit<Check, 'check'>;

const notCompared = (detail: string): CheckOutcome => ({ compared: false, agrees: null, detail });
const compared = (agrees: boolean | null, detail: string): CheckOutcome => ({ compared: true, agrees, detail });

const READ_FROM = {
  print: 'the printed label',
  barcode: 'the barcode',
  'print and barcode': 'the printed label and the barcode',
} as const;

function certCheck(cert: SlabCert): CheckOutcome {
  if (cert.cert !== null) {
    const detail = `${cert.cert.cert} was read from ${READ_FROM[cert.shownBy]}.`;
    return cert.shownBy === 'print and barcode' ? compared(true, detail) : notCompared(detail);
  }
  if (cert.problem === 'contradicted')
    return compared(false, 'Readings of the cert contradict one another: none is taken.');
  return notCompared(
    cert.problem === 'unread'
      ? 'No cert could be read.'
      : 'A cert was read, but with too little confidence to be used.',
  );
}

function gradeCheck(onLabel: ReturnType<typeof gradeByKey>, recordGrade: string | null): CheckOutcome {
  if (onLabel === null) return notCompared('The grade on the label could not be read.');
  if (recordGrade === null) return notCompared(`The label says ${onLabel.label}; there is no record to compare.`);
  // A record may have the words of the grader.
  const recorded = gradeOf(onLabel.company, recordGrade)?.label ?? recordGrade;
  return compared(recorded === onLabel.label, `The label says ${onLabel.label}, the record ${recorded}.`);
}

function labelCheck(rows: readonly string[], { summary, card }: SeenOnSlab): CheckOutcome {
  if (summary === undefined) return notCompared('No card to compare with.');
  if (card?.itemId != null && card.by === 'label')
    return notCompared(`The label identifies the card ${summary.name}; there is nothing to compare it with.`);
  if (card?.itemId != null && card.by === 'label and art')
    return compared(true, `The label identifies the card ${summary.name}, as the picture does.`);
  const share = shareOfName(summary.name, rows);
  if (share === null) return notCompared(`The name ${summary.name} cannot be compared.`);
  if (share === 1) return compared(true, `The label has the name ${summary.name}.`);
  return share >= 0.5
    ? compared(null, `The label has a part of the name ${summary.name}.`)
    : compared(false, `The label lacks the name ${summary.name}.`);
}

function artCheck({ art: { ids, confidence }, summary, card }: SeenOnSlab): CheckOutcome {
  if (summary === undefined || confidence === 'none') return notCompared('The picture of the card was not recognized.');
  if (card?.itemId != null && card.by === 'art')
    return notCompared(`The picture identifies the card (${confidence}); there is nothing to compare it with.`);
  if (ids.includes(summary.id)) return compared(true, `The picture is like the card's (${confidence}).`);
  return confidence === 'low'
    ? compared(null, 'The picture may be of another card.')
    : compared(false, 'The picture is of another card.');
}

/** Words of a name that are this long can be compared; longer ones with a letter misread. */
const MIN_WORD = 3;
const LONG_WORD = 5;

/** How many of a name's words the rows have; null where no word of it can be compared. */
function shareOfName(name: string, rows: readonly string[]): number | null {
  const words = foldWords(name).filter((word) => word.length >= MIN_WORD);
  if (words.length === 0) return null;
  const print = foldWords(rows.join(' '));
  const there = words.filter((word) =>
    print.some((other) => other === word || (word.length >= LONG_WORD && isNearly(word, other))),
  );
  return there.length / words.length;
}
