import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { notFound } from '../http/problem.ts';
import { attribution, nullable } from '../items/shapes.ts';
import { currentChain, type RecordContext, signingKey } from '../receipts/context.ts';
import { keysOf } from '../receipts/make-receipt.ts';
import { recordKeys } from '../receipts/record-head.ts';
import { signedManifest } from '../record/bulk-manifest.ts';
import { type BulkFile, bulkFolder, FORMATS, readLists } from './bulk-folder.ts';

const file = Type.Object({
  name: Type.String(),
  kind: Type.String({ 'x-extensible-enum': ['items', 'prices', 'series', 'sales', 'pack'] }),
  format: Type.String({ 'x-extensible-enum': Object.keys(FORMATS) }),
  month: nullable(Type.String({ description: '`YYYY-MM` of a file with the days of one month.' })),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  digest: Type.String({ description: 'SHA-256 of its bytes, hex.' }),
  url: Type.String({ format: 'uri', description: 'Its bytes never change.' }),
});

/** `GET /v1/bulk`. */
export const bulkManifest = endpoint({
  id: 'bulk',
  summary:
    'The files of the last close for programs that want everything, with digests and the signature of the record’s key',
  response: Type.Object(
    {
      bulk: Type.Literal(1),
      day: Type.String({ format: 'date', description: 'The close that the prices are of.' }),
      madeAt: Type.String({ format: 'date-time' }),
      attribution,
      dataLicense: nullable(Type.String({ description: 'The license of the data, as the operator states it.' })),
      files: Type.Array(file),
      keys: recordKeys,
      signature: Type.String({ description: 'Base64: by the newest key, over the canonical JSON of the rest.' }),
    },
    { title: 'Bulk' },
  ),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle(context: RecordContext) {
    const { baseUrl, dataLicense, serviceName } = context.config;
    const [list] = await readLists(bulkFolder(context.config));
    if (list === undefined) throw notFound('No files have been made yet: they are made after the next close.');
    const chain = await currentChain(context);
    const { day, madeAt } = list;
    const files = list.files.map((one) => manifestFile(one, baseUrl));
    const text = { text: `Reference prices by ${serviceName}`, url: baseUrl };
    const manifest = { bulk: 1, day, madeAt, attribution: text, dataLicense, files, keys: keysOf(chain.keys) } as const;
    return { body: signedManifest(manifest, await signingKey(context, chain)) };
  },
});

function manifestFile({ sha256, name, kind, format, month, rows, bytes }: BulkFile, baseUrl: string) {
  return { name, kind, format, month, rows, bytes, digest: sha256, url: `${baseUrl}/v1/bulk/${name}` };
}
