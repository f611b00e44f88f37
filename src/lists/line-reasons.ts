import { WAITS_BECAUSE } from '../sales/deciding/suggest-items.ts';

/** Why a title or a line has no card or no price, in a sentence. */
const BECAUSE: Readonly<Record<string, string>> = {
  ...WAITS_BECAUSE,
  lot: 'The title is of several cards.',
  not_card: 'The title is of something other than a genuine card.',
  company_unsupported: 'Grades of this company have no prices here.',
  outside_scale: 'The grade is outside the priced scale.',
  item_unknown: 'The catalog has no card of this id or address.',
  id_on_several: 'Several printings have this id: `variation` or `language` names one.',
  card_missing: 'The line names no card: it needs an id, an address, a cert or a title.',
  id_invalid: 'The id is not a catalog id, which is a UUID.',
  cert_invalid: 'The cert is not a cert number: 5 to 20 digits, with the grader before them.',
  grade_unknown: 'No grade has this name.',
  grade_unsupported: 'The company has no grade of this name.',
  company_missing: 'The line states a grade without its company.',
  grade_differs: 'The company or grade of the line is not that of its title or cert.',
  no_price: 'The card has no price at this grade yet.',
  identity_suspect: 'Its price is withheld: the sales may be those of another card.',
  withdrawn: 'The card was taken out of the catalog.',
  no_grade_price: 'The card has no price at the grade of this cert yet.',
  deactivated: 'The grader has voided this cert.',
  needs_photo: 'Only the slab itself shows which card it is.',
  compute_incomplete: 'The valuation of this cert did not end in time.',
  not_ingested: 'This cert is not stored yet; GET /v1/graded/{cert} looks it up.',
  game_unsupported: 'The cert is of a game that is not covered.',
};

/** The sentence of a reason. */
export function becauseOf(reason: string): string {
  return BECAUSE[reason] ?? reason;
}
