import { type Static, Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { endpoint } from '../http/endpoint.ts';
import { type ItemRow, itemHref, itemMap, numbersOf } from '../items/item-row.ts';
import { anyCompany, cardNumbers, gameSlug, nullable } from '../items/shapes.ts';
import { NOT_TAKEN } from '../sales/deciding/suggest-items.ts';
import type { IdentifiedTitle } from '../sales/match/identify-title.ts';
import type { ListContext } from './context.ts';
import { becauseOf } from './line-reasons.ts';

const MAX_TITLES = 1000;
/** What the matcher reads of a title. */
const MAX_LETTERS = 400;

const resolvedItem = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    href: Type.String({ description: 'Site-relative address of its page, at the grade where that has prices.' }),
    game: gameSlug,
    name: Type.String(),
    setName: nullable(Type.String()),
    ...cardNumbers,
    language: Type.String(),
    variation: nullable(Type.String()),
  },
  { title: 'ResolvedItem' },
);

const resolution = Type.Object(
  {
    title: Type.String(),
    status: Type.Enum(['matched', 'unmatched']),
    reason: nullable(
      Type.String({
        description: 'Why it is unmatched, or has no grade with prices: `ambiguous`, `set_unknown`, `lot` and others.',
      }),
    ),
    because: nullable(Type.String({ description: 'The reason in a sentence.' })),
    company: nullable(anyCompany),
    grade: nullable(Type.String()),
    gradeLabel: nullable(Type.String()),
    item: Type.Optional(resolvedItem),
    confidence: nullable(
      Type.Enum(['high', 'medium'], {
        description:
          '`high`: the title states everything. `medium`: what it leaves unsaid (an edition, the condition) was read by the convention of the trade. Null when unmatched.',
      }),
    ),
    candidates: Type.Optional(
      Type.Array(
        Type.Object({
          item: resolvedItem,
          reason: Type.String({ description: 'Why it was not taken: `fits` when it is not the only one.' }),
          because: Type.String(),
        }),
        { maxItems: 5, description: 'Cards that an unmatched title may mean, the likeliest first.' },
      ),
    ),
  },
  { title: 'Resolution' },
);

export const resolve = endpoint({
  id: 'resolve',
  reads: 'replica',
  summary: 'The card, company and grade that each title means, or why it is unmatched: as imports of sales read titles',
  body: Type.Object(
    {
      titles: Type.Array(Type.String({ minLength: 1, maxLength: MAX_LETTERS, description: 'As a listing has it.' }), {
        minItems: 1,
        maxItems: MAX_TITLES,
      }),
      game: Type.Optional(Type.Enum(gameSlug.enum, { description: 'Cards of this game only, whatever a title says.' })),
    },
    { additionalProperties: false },
  ),
  unfitBody: 400,
  maxBodyBytes: 2 ** 21,
  linesOf: ({ titles }) => titles.length,
  response: Type.Object({ results: Type.Array(resolution, { maxItems: MAX_TITLES }) }),
  maxAgeSeconds: 'no-store',
  async handle(context: ListContext, { body }) {
    const { titles, game = null } = body;
    const found = await context.liveTitles.identify(
      titles.map((title) => ({ title })),
      game,
    );
    const ids = found.flatMap(({ itemId, candidates }) => [itemId ?? [], candidates.map((one) => one.itemId)].flat(2));
    const items = await itemMap(context.db, [...new Set(ids)]);
    return { body: { results: found.map((one, at) => resolutionOf(titles[at]!, one, items)) } };
  },
});

function resolutionOf(
  title: string,
  { itemId, reason, company, gradeKey, confidence, candidates }: IdentifiedTitle,
  items: ReadonlyMap<string, ItemRow>,
): Static<typeof resolution> {
  const item = itemId === null ? undefined : items.get(itemId);
  // Its catalog dropped it since the index was built.
  const why = itemId !== null && item?.removed_at !== null ? 'card_unknown' : reason;
  const isMatched = itemId !== null && item?.removed_at === null;
  const grade = gradeKey === null ? null : gradeByKey(gradeKey);
  return {
    title,
    status: isMatched ? 'matched' : 'unmatched',
    reason: why,
    because: why === null ? null : becauseOf(why),
    company,
    grade: grade?.grade ?? null,
    gradeLabel: grade?.label ?? null,
    ...(isMatched ? { item: resolvedItemOf(item, gradeKey) } : {}),
    confidence: isMatched ? confidence : null,
    ...(isMatched
      ? {}
      : {
          candidates: candidates.flatMap((one) => {
            const row = items.get(one.itemId);
            if (row === undefined || row.removed_at !== null) return [];
            return [{ item: resolvedItemOf(row, gradeKey), reason: one.why, because: NOT_TAKEN[one.why] }];
          }),
        }),
  };
}

function resolvedItemOf(item: ItemRow, gradeKey: string | null): Static<typeof resolvedItem> {
  const { id, game, name, set_name: setName, language, variation } = item;
  return { id, href: itemHref(item, gradeKey), game, name, setName, ...numbersOf(item), language, variation };
}
