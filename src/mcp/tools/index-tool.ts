import { type Static, Type } from 'typebox';
import type { IndexDetail } from '../../indices/detail.ts';
import { indexConstituent, indexTile } from '../../indices/shapes.ts';
import { citeUrl } from '../card-shapes.ts';
import { closeDay, closedDayOf, onParameter } from '../locate-card.ts';
import { queryOf, tool } from '../tool.ts';

const MOST_CONSTITUENTS = 10;

const level = Type.Object({
  ...Type.Pick(indexTile, ['game', 'slug', 'label', 'value', 'base', 'deltas', 'constituentCount', 'status'])
    .properties,
  citeUrl,
});

const constituent = Type.Object({
  ...Type.Pick(indexConstituent, ['rank', 'id', 'name', 'setName', 'printedNumber', 'variation', 'language', 'grade'])
    .properties,
  ...Type.Pick(indexConstituent, ['weight', 'deltaPct']).properties,
});

/** `index`. */
export const indexTool = tool({
  name: 'index',
  title: 'Market index',
  description:
    'The level of the market index of a game, or of all games, at a close, with its moves over 7, 30 and 365 days in percent; of one index also its ten largest constituents and its sub-indices. A level is computed, not estimated: it has no range. Costs 1 unit.',
  input: Type.Object(
    {
      index: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9][a-z0-9-]{0,99}$',
          maxLength: 100,
          description: 'Slug of a game such as `pokemon`, or of a sub-index; all games without it.',
        }),
      ),
      on: onParameter,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    closeOf: closeDay,
    indices: Type.Array(level),
    constituents: Type.Optional(Type.Array(constituent, { maxItems: MOST_CONSTITUENTS })),
    subIndices: Type.Optional(Type.Array(Type.Object({ slug: Type.String(), label: Type.String() }))),
  }),
  async call(api, sent) {
    const on = await closedDayOf(api, sent.on);
    const asOf = queryOf({ asOf: on });
    const levelOf = (tile: Static<typeof indexTile>): Static<typeof level> => {
      const { game, slug, label, value, base, deltas, constituentCount, status } = tile;
      const cite = `${api.baseUrl}/indices/${slug}?on=${on}`;
      return { game, slug, label, value, base, deltas, constituentCount, status, citeUrl: cite };
    };
    if (sent.index === undefined) {
      const { indices } = await api.get<{ indices: Static<typeof indexTile>[] }>(`/v1/indices${asOf}`);
      return { closeOf: on, indices: indices.map(levelOf) };
    }
    const detail = await api.get<IndexDetail>(`/v1/indices/${sent.index}${asOf}`);
    const heaviest = [...detail.constituents].sort((a, b) => b.weight - a.weight).slice(0, MOST_CONSTITUENTS);
    return {
      closeOf: on,
      indices: [levelOf(detail)],
      constituents: heaviest.map(
        ({ rank, id, name, setName, printedNumber, variation, language, grade, weight, deltaPct }) => ({
          ...{ rank, id, name, setName, printedNumber, variation, language, grade, weight, deltaPct },
        }),
      ),
      subIndices: detail.subIndices,
    };
  },
});
