import { type Static, Type } from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import { anyCompany, instant, nullable, openEnum, usdCents } from '../../items/shapes.ts';
import type { GradedContext } from '../context.ts';
import { certOf, certParams } from '../lookup.ts';
import { CONTRADICTIONS } from './contradictions.ts';
import { MOST_ROWS, readHistory } from './read-history.ts';

const slabSale = Type.Object({
  soldAt: instant,
  priceUsdCents: nullable(usdCents),
  source: Type.String(),
  displayName: Type.String(),
  gradeLabel: Type.String({ description: 'As this sale has it.' }),
  name: Type.String({ description: 'Of the card, as this sale has it.' }),
  href: Type.String(),
  disposition: Type.Enum(['used', 'downweighted', 'refused']),
  dispositionReason: nullable(Type.String()),
  referencePriceUsdCents: nullable(
    Type.Integer({
      description: 'Of the card in the grade of this sale, at the close of its day; null where that day had no price.',
    }),
  ),
});

const slabChange = Type.Object({
  at: instant,
  field: Type.Enum(['card', 'grade', 'label', 'state']),
  from: Type.String({ description: 'Of `card`: its address.' }),
  to: Type.String(),
});

const contradiction = Type.Object({
  kind: openEnum([...CONTRADICTIONS]),
  text: Type.String({
    description: 'One sentence: which records contradict each other. Not that a slab is not genuine.',
  }),
  at: instant,
});

const slabHistory = Type.Object(
  {
    cert: Type.String({ description: 'Grader and number: PSA149595098.' }),
    company: anyCompany,
    sales: Type.Array(slabSale, {
      maxItems: MOST_ROWS,
      description: 'Recorded sales that name this cert, of public sources, the newest first.',
    }),
    changes: Type.Array(slabChange, {
      maxItems: MOST_ROWS,
      description: 'What changed in the record of the cert after it was registered, the newest first.',
    }),
    contradictions: Type.Array(contradiction, {
      maxItems: MOST_ROWS,
      description: 'Records of this cert that cannot all be right, the newest first.',
    }),
  },
  { title: 'SlabHistory' },
);
export type SlabHistory = Static<typeof slabHistory>;

export const certHistory = endpoint({
  id: 'gradedCertHistory',
  reads: 'primary',
  summary: 'The recorded life of a slab: its sales, changes of its record, and records that contradict each other',
  params: certParams,
  response: slabHistory,
  maxAgeSeconds: 60,
  async handle(context: GradedContext, { params }) {
    return { body: await readHistory(context, certOf(params.cert)) };
  },
});
