import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { notFound } from '../http/problem.ts';
import { formatDay } from '../lib/day.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { PARAMETERS_TEXT } from '../record/model-parameters.ts';
import { formatKey } from '../record/signed-note.ts';
import { checkpointOn, currentChain, type RecordContext } from './context.ts';
import { keysOf } from './make-receipt.ts';

const calendarDay = Type.String({ format: 'date', description: 'UTC day, `YYYY-MM-DD`.' });
const publicKey = Type.String({ description: '`name+hash+base64`, as C2SP signed notes write a key.' });

export const recordKeys = Type.Object({
  first: publicKey,
  rotations: Type.Array(
    Type.Object({
      k: Type.Literal('key'),
      from: publicKey,
      key: publicKey,
      signature: Type.String({ description: 'Base64: by `from`, over the canonical JSON of the rest.' }),
    }),
  ),
});

/** `GET /v1/record`. */
export const recordHead = endpoint({
  id: 'record',
  summary: 'The public record: its newest signed checkpoint, its keys, its days and where their files are',
  response: Type.Object(
    {
      origin: Type.String(),
      publicKey,
      keys: recordKeys,
      firstDay: calendarDay,
      lastDay: calendarDay,
      size: Type.Integer({ description: 'Days of the chain.' }),
      checkpoint: Type.String({ description: 'Signed note: origin, size and root of the chain of days.' }),
      model: Type.String({ description: 'Version of the price model.' }),
      parameters: Type.String({ description: 'Its parameters, as canonical JSON.' }),
      days: Type.Object({ path: Type.String({ description: 'Of a day’s file; `{day}` is YYYY-MM-DD.' }) }),
      receipts: Type.Object({
        path: Type.String({ description: 'Of a receipt; `{item}` is an id, `{grade}` as in addresses.' }),
      }),
      methodologyUrl: Type.String({ format: 'uri' }),
    },
    { title: 'Record' },
  ),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle(context: RecordContext) {
    const chain = await currentChain(context);
    const [first, last] = [chain.days[0], chain.days.at(-1)];
    if (first === undefined || last === undefined) throw notFound('No day has been closed yet.');
    const { baseUrl } = context.config;
    const key = chain.keys.at(-1)!;
    return {
      body: {
        origin: key.name,
        publicKey: formatKey(key),
        keys: keysOf(chain.keys),
        firstDay: formatDay(first.day),
        lastDay: formatDay(last.day),
        size: chain.days.length,
        checkpoint: await checkpointOn(context, chain, last.day),
        model: MODEL_VERSION,
        parameters: PARAMETERS_TEXT,
        days: { path: '/v1/record/{day}' },
        receipts: { path: '/v1/receipts/{item}/{grade}/{day}' },
        methodologyUrl: `${baseUrl}/methodology/record`,
      },
    };
  },
});
