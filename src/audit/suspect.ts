/** The kinds of suspects, as `GET /v1/audit` names them. */
export const SUSPECT_KINDS = [
  'shared_id',
  'swapped_siblings',
  'off_curve',
  'grade_inversion',
  'source_factor',
  'shifted_set',
] as const;
export type SuspectKind = (typeof SUSPECT_KINDS)[number];

/** A series that a suspect is of; a null grade: every grade of the item. */
export type SuspectSeries = { itemId: string; gradeKey: string | null };

/** A sentence, and the figures that it states. */
export type Evidence = { text: string; data: Record<string, number | string> };

/** What a detector finds. `subject`: what it is of, by which a later audit finds it again. */
export type FoundSuspect = {
  kind: SuspectKind;
  subject: string;
  /** The probability that the identity is wrong, as far as the evidence goes. */
  score: number;
  series: SuspectSeries[];
  evidence: Evidence[];
};

/** Suspects are kept where a fault is more likely than not, by the evidence; their prices are withheld until they are decided. */
export const LISTED_FROM = 0.5;
