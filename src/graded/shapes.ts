import { type Static, Type } from 'typebox';
import { certPopulation } from '../items/population/read-population.ts';
import { anyCompany, cardSummary, imageAddress, nullable } from '../items/shapes.ts';

/** Why a cert has no price. */
export const REASONS = [
  /** Its grade is outside the priced scale, or the card has no price at it yet. */
  'no_grade_price',
  /** Voided by the grader. */
  'deactivated',
  /** Only the slab itself shows which card it is. */
  'needs_photo',
  /** The valuation did not end in time; it goes on. */
  'compute_incomplete',
  'company_unsupported',
  /** The cert is unknown. */
  'not_ingested',
  'game_unsupported',
  /** Its card was taken out of the catalog. */
  'withdrawn',
  /** Its price is withheld: the sales may be those of another card. */
  'identity_suspect',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a photo of a slab showed, and whether that fits together. */
const slabEvidence = Type.Object(
  {
    company: anyCompany,
    label: Type.Array(Type.String(), { description: 'Rows of print on the label, where legible.' }),
    cert: nullable(Type.String({ description: 'As it was read beyond doubt.' })),
    gradeLabel: nullable(Type.String({ description: 'The grade on the label.' })),
    checks: Type.Array(
      Type.Object({
        check: Type.Enum(['cert', 'grade', 'label', 'art'], {
          description:
            '`cert`: barcode and print of the cert. `grade`: label and record. `label`: its words and the card. `art`: what the picture shows and the card.',
        }),
        compared: Type.Boolean({ description: 'Two things were there to compare.' }),
        agrees: nullable(Type.Boolean({ description: 'null: not compared, or the comparison is not conclusive.' })),
        detail: Type.String(),
      }),
    ),
  },
  { title: 'SlabEvidence' },
);
export type SlabEvidence = Static<typeof slabEvidence>;

export const gradedLookup = Type.Object(
  {
    cert: Type.String({ description: 'Grader and number: PSA149595098.' }),
    certNumber: Type.String({ description: 'As printed, leading zeros kept.' }),
    company: anyCompany,
    found: Type.Boolean({ description: 'It has a price.' }),
    grade: nullable(Type.String()),
    gradeLabel: nullable(Type.String({ description: 'As the grader wrote it, where there is no price.' })),
    card: Type.Optional(cardSummary),
    certImages: nullable(
      Type.Object(
        {
          front: nullable(imageAddress),
          back: nullable(imageAddress),
          item: nullable(imageAddress),
        },
        { description: 'Scans of the slab, front and back; `item`: the picture of the card in the catalog.' },
      ),
    ),
    population: Type.Optional(certPopulation),
    reason: Type.Optional(Type.Enum([...REASONS], { description: 'Why there is no price: present when not found.' })),
    warning: Type.Optional(Type.String()),
    evidence: Type.Optional(slabEvidence),
  },
  { $id: 'GradedLookup', title: 'GradedLookup' },
);
export type GradedLookup = Static<typeof gradedLookup>;
