import { type Static, Type } from 'typebox';
import { GRADES, type GradeRow, gradeByKey } from '../catalog/grades.ts';
import { nullable } from '../items/shapes.ts';
import { type ResolvedGrade, resolveGrade } from '../sales/import/resolve.ts';

/** What a caller says of a line of a list. */

export const MAX_LINES = 1000;
const MAX_QUANTITY = 100_000;

const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

export const listLine = Type.Object(
  {
    id: text(100, 'Catalog id (UUID).'),
    href: text(1000, 'Address of a card’s page, with or without the host; it may end in a grade.'),
    upstreamId: text(200, 'Upstream inventory id.'),
    externalId: Type.Optional(
      nullable(
        Type.Object(
          {
            space: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the catalog whose id it is.' }),
            id: Type.String({ minLength: 1, maxLength: 200 }),
            variation: text(300, 'Of several printings with the id, the one of this variation; `plain`: without one.'),
            language: text(40, 'Of several printings with the id, the one in this language.'),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    cert: text(40, 'Grader and number of a slab; its grade is that of its record.'),
    title: text(400, 'As a listing has it; it may state the grade.'),
    gradeLabel: text(60, 'Such as `PSA 10` or `Raw A`.'),
    company: text(40, 'With `grade`; the two outrank the grade of a title.'),
    grade: text(60, 'As the company writes it: `10`, `9.5 Gem Mint`; the condition of an ungraded card.'),
    gradeToken: text(30, 'As in addresses: `psa-10`.'),
    quantity: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, description: 'By default 1.' })),
    ),
    ref: text(200, 'The caller’s own name of the line; returned.'),
  },
  { additionalProperties: false, title: 'ListLine' },
);
export type ListLine = Static<typeof listLine>;

/** The ways to name a card, in the order in which they count. */
export const NAMES = ['id', 'href', 'upstreamId', 'externalId', 'cert', 'title'] as const;
export type CardNaming = (typeof NAMES)[number];

/** The first of its names; null without one. */
export function namingOf(line: ListLine): CardNaming | null {
  return NAMES.find((name) => line[name] != null && line[name] !== '') ?? null;
}

const BY_LABEL = new Map(GRADES.map((row) => [row.label.toLowerCase(), row]));

/**
 * The grade that a line states: a row of the scale; a reason why it has no price; or null where it states none. The first of
 * `gradeToken`, `gradeLabel`, `company` with `grade` counts.
 */
export function statedGrade(line: ListLine): GradeRow | { reason: string; isInvalid: boolean } | null {
  if (line.gradeToken) return gradeByKey(line.gradeToken) ?? { reason: 'grade_unknown', isInvalid: true };
  if (line.gradeLabel) return BY_LABEL.get(line.gradeLabel.trim().toLowerCase()) ?? ofLabel(line.gradeLabel.trim());
  if (line.company) return ofScale(resolveGrade(line.company.trim(), line.grade?.trim() || null));
  return line.grade ? { reason: 'company_missing', isInvalid: true } : null;
}

function ofLabel(label: string) {
  const [company = '', ...grade] = label.split(/\s+/);
  return ofScale(resolveGrade(company, grade.join(' ') || null));
}

function ofScale({ row, scale }: ResolvedGrade) {
  return row ?? { reason: scale, isInvalid: scale === 'grade_unsupported' };
}
