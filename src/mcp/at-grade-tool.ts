import { type Static, Type } from 'typebox';
import type { GradeRow } from '../catalog/grades.ts';
import type { CardOverview } from '../items/overview.ts';
import { type Figure, figure, figureOf, type NamedCard } from './card-shapes.ts';
import {
  atGrade,
  cardAnswer,
  cardParameter,
  closeDay,
  gradeParameter,
  locateCard,
  onParameter,
} from './locate-card.ts';
import type { ToolApi } from './tool.ts';

/** What tools take that answer for one card at one grade. */
export const cardAtGrade = { card: cardParameter, grade: gradeParameter, on: onParameter };

/** What they answer in any case. */
export const atGradeAnswer = {
  ...cardAnswer(['priced', 'no_price']),
  closeOf: Type.Optional(closeDay),
  price: Type.Optional(figure),
};
const atGradeBody = Type.Object(atGradeAnswer);

/** A card at a grade that has a price. `path` names it in addresses of the API: `game/set/card-psa-10`. */
export type PricedCard = {
  card: NamedCard;
  price: Figure;
  on: string;
  row: GradeRow;
  entry: CardOverview['grades'][number];
  path: string;
};

/** Answers with what `read` adds for a card that has a price at the grade; else why it does not. */
export async function answerAtGrade<More extends object>(
  api: ToolApi,
  sent: { card: string; grade: string; on?: string },
  read: (priced: PricedCard) => Promise<More>,
): Promise<Static<typeof atGradeBody> & Partial<More>> {
  const located = await locateCard(api, sent);
  if ('status' in located) return located as Static<typeof atGradeBody> & Partial<More>;
  const { card, on } = located;
  const found = atGrade(located, sent.grade);
  if (typeof found === 'string')
    return { status: 'no_price', because: found, card, closeOf: on } as Static<typeof atGradeBody> & Partial<More>;
  const price = figureOf(found.entry, { baseUrl: api.baseUrl, on });
  const path = found.entry.href.replace(/^\/card\//, '');
  const more = await read({ card, price, on, ...found, path });
  return { status: 'priced', because: null, card, closeOf: on, price, ...more };
}
