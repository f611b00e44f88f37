import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { FOR_GOOD_SECONDS } from '../http/answer.ts';
import { endpoint } from '../http/endpoint.ts';
import { invalidValue } from '../http/problem.ts';
import { dayOfRecord, linesOfDay } from '../pricing/record/read-record.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import { lineText } from '../record/day-line.ts';
import { consistencyProof, rootOf } from '../record/merkle.ts';
import { checkpointOn, currentChain, type RecordContext } from './context.ts';
import { placeOf } from './record-chain.ts';
import { recordDayOf } from './record-days.ts';

/** `GET /v1/record/{day}`. */
export const recordFile = endpoint({
  id: 'recordDay',
  summary: 'The record of a day, one canonical JSON object a line; or the proof that its chain continues an older one',
  params: Type.Object({ day: Type.String({ maxLength: 400, description: '`YYYY-MM-DD`.' }) }),
  query: Type.Object({
    proof: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'An integer from 1 to 1000000: an older size of the chain. The answer is then one line, with the roots of both sizes and the consistency proof between them.',
      }),
    ),
  }),
  response: Type.String({ description: 'Lines of docs/methodology/record.md, section 2.' }),
  download: 'application/x-ndjson',
  isStreamedFile: true,
  policy: 'downloads',
  maxAgeSeconds: FOR_GOOD_SECONDS,
  statuses: [404],
  async handle(context: RecordContext, { params, query }) {
    const { db } = context;
    const chain = await currentChain(context);
    const day = recordDayOf(chain, params.day);
    if (query.proof === undefined) {
      const recorded = (await dayOfRecord(db, day))!;
      const chunks = async function* () {
        for await (const line of linesOfDay(db, recorded)) yield `${lineText(line)}\n`;
      };
      return { bytes: recorded.bytes, sha256: recorded.digest, chunks };
    }
    const [from, size] = [query.proof, placeOf(chain, day) + 1];
    if (from > size) throw invalidValue('proof', `an integer from 1 to ${size}`, from);
    const hex = (bytes: Buffer) => bytes.toString('hex');
    const text = `${canonicalJson({
      k: 'proof',
      from,
      fromRoot: hex(rootOf(chain.tree, from)),
      size,
      root: hex(rootOf(chain.tree, size)),
      proof: consistencyProof(chain.tree, from, size).map(hex),
      checkpoint: await checkpointOn(context, chain, day),
    })}\n`;
    return {
      bytes: Buffer.byteLength(text),
      sha256: hash('sha256', text, 'buffer'),
      chunks: async function* () {
        yield text;
      },
    };
  },
});
