import sharp from 'sharp';
import { Type } from 'typebox';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import { endpoint } from '../../http/endpoint.ts';
import { notFound } from '../../http/problem.ts';
import { conformancePictures, LEAST_COSINE } from '../../vision/encoder/conformance.ts';
import { addedModel, EMBEDDING_MODEL } from '../../vision/encoder/models.ts';
import { PREPROCESSING } from '../../vision/encoder/preprocess.ts';

const side = Type.Object({ width: Type.Integer(), height: Type.Integer(), position: Type.String() });

const response = Type.Object(
  {
    model: Type.String({ description: 'Its name, as searches answer it.' }),
    dimension: Type.Integer({ description: 'Numbers of an embedding.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the ONNX file that embeds pictures here.' }),
    addedAt: Type.String({ format: 'date-time' }),
    preprocessing: Type.Object(
      {
        resize: Type.Object({ shortSide: Type.Integer(), filter: Type.String(), antialias: Type.Boolean() }),
        crop: side,
        channels: Type.String(),
        layout: Type.String(),
        scale: Type.Number(),
        mean: Type.Array(Type.Number()),
        std: Type.Array(Type.Number()),
        output: Type.String(),
      },
      { description: 'The steps from an upright sRGB picture to what the encoder takes, and after it.' },
    ),
    conformance: Type.Object(
      {
        leastCosine: Type.Number({
          description: 'Another encoder gives vectors of this space when no cosine is below.',
        }),
        pictures: Type.Array(
          Type.Object({
            name: Type.String(),
            width: Type.Integer(),
            height: Type.Integer(),
            png: Type.String({ contentEncoding: 'base64', contentMediaType: 'image/png' }),
            vector: Type.Array(Type.Number(), { description: 'What this encoder gives for it.' }),
          }),
        ),
      },
      { description: 'Pictures with their vectors: embed them and compare, to prove that yours match.' },
    ),
  },
  { title: 'EmbeddingModel' },
);

export const embeddingModel = endpoint({
  id: 'embeddingModel',
  summary: 'The encoder behind searches by embedding, and how to prove that another gives the same vectors',
  response,
  maxAgeSeconds: 300,
  statuses: [404],
  async handle({ db }) {
    const model = await addedModel(db);
    if (model === null) throw notFound(`No encoder was added here: nothing can be said of ${EMBEDDING_MODEL}.`);
    const { name, sha256, addedAt, conformance } = model;
    const pictures = (await drawn()).map((picture, i) => ({ ...picture, vector: shortened(conformance[i]!) }));
    const body = {
      model: name,
      dimension: VECTOR_LENGTH,
      sha256,
      addedAt: addedAt.toISOString(),
      preprocessing: PREPROCESSING,
      conformance: { leastCosine: LEAST_COSINE, pictures },
    };
    return { body };
  },
});

function drawn() {
  return Promise.all(
    conformancePictures().map(async ({ name, pixels: { data, width, height } }) => {
      const png = await sharp(data, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 9 })
        .toBuffer();
      return { name, width, height, png: png.toString('base64') };
    }),
  );
}

/** Seven digits say all that float32 does. */
function shortened(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Number(value.toPrecision(7)));
}
