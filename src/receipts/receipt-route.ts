import { Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { FOR_GOOD_SECONDS } from '../http/answer.ts';
import { endpoint } from '../http/endpoint.ts';
import { notFound } from '../http/problem.ts';
import { locateById } from '../items/locate/locate.ts';
import { gameSlug, nextSaleRange, nullable, score, usdCents } from '../items/shapes.ts';
import { currentChain, type RecordContext } from './context.ts';
import { makeReceipt } from './make-receipt.ts';
import { recordDayOf } from './record-days.ts';
import { recordKeys } from './record-head.ts';

const hash = Type.String({ description: 'SHA-256, hex.' });
const calendarDay = Type.String({ format: 'date', description: 'UTC day, `YYYY-MM-DD`.' });

/** A price as it was published at the close of a day. */
export const published = Type.Object({
  priceUsdCents: nullable(usdCents),
  low: nullable(Type.Integer({ minimum: 1, description: 'US cents: the 80% range of the value.' })),
  high: nullable(usdCents),
  confidenceScore: nullable(score),
  nextSaleRangeUsdCents: nextSaleRange,
});

/** `GET /v1/receipts/{item}/{grade}/{day}`. */
export const receipt = endpoint({
  id: 'receipt',
  summary: 'One price with the lines that it is computed from and the proofs that they are in the signed record',
  params: Type.Object({
    item: Type.String({ minLength: 1, maxLength: 400, description: 'Catalog id (UUID).' }),
    grade: Type.String({ minLength: 1, maxLength: 400, description: 'As in addresses: `psa-10`.' }),
    day: Type.String({ maxLength: 400, description: '`YYYY-MM-DD`.' }),
  }),
  response: Type.Object(
    {
      receipt: Type.Literal(1),
      url: Type.String({ format: 'uri' }),
      item: Type.Object({
        id: Type.String({ format: 'uuid' }),
        game: gameSlug,
        name: Type.String(),
        setName: nullable(Type.String()),
        cardNumber: nullable(Type.String()),
        language: Type.String(),
        variation: nullable(Type.String()),
      }),
      gradeToken: Type.String({ description: 'As in addresses: `psa-10`.' }),
      day: calendarDay,
      version: Type.String({ description: 'Version of the price model that computed the price.' }),
      parameters: Type.String({ description: 'Its parameters, as canonical JSON.' }),
      published,
      lines: Type.Array(Type.String(), { description: 'Lines of files of days.' }),
      proofs: Type.Array(Type.Object({ day: calendarDay, index: Type.Integer(), path: Type.Array(hash) }), {
        description: 'Of each line: the day whose file has it, its place there, and its audit path.',
      }),
      days: Type.Array(
        Type.Object({
          day: calendarDay,
          lines: Type.Integer(),
          root: hash,
          index: Type.Integer(),
          path: Type.Array(hash),
        }),
      ),
      checkpoint: Type.String({ description: 'Signed note: the head of the chain at the close of the day.' }),
      keys: recordKeys,
      signature: Type.String({ description: 'Base64: by the newest key, over the canonical JSON of the rest.' }),
    },
    { title: 'Receipt' },
  ),
  maxAgeSeconds: FOR_GOOD_SECONDS,
  statuses: [404, 410],
  async handle(context: RecordContext, { params }) {
    const day = recordDayOf(await currentChain(context), params.day);
    const { item } = await locateById(context, params.item);
    const grade = gradeByKey(params.grade);
    if (grade === null) throw notFound('No grade has this name; grades are named as in addresses: psa-10.');
    return { body: await makeReceipt(context, { item, gradeKey: grade.key, day }) };
  },
});
