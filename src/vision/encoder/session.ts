import type { InferenceSession } from 'onnxruntime-node';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { unitVector } from '../vectors/stored-vectors.ts';
import { encoderInput, INPUT_SIDE } from './preprocess.ts';

/** A model that cannot be used; the message says why, in one sentence. */
export class UnusableModel extends Error {
  override name = 'UnusableModel';
}

/** A loaded graph from a picture to a vector. */
export type EncoderSession = {
  inputName: string;
  outputName: string;
  /** 512 values of length 1. Takes the thread that calls it for as long as the graph computes. */
  embed(picture: RgbPixels): Promise<Float32Array>;
  close(): Promise<void>;
};

const INPUT_SHAPE = [1, 3, INPUT_SIDE, INPUT_SIDE];
const NOT_INSTALLED =
  'onnxruntime-node is not installed: it is an optional part of this program (npm install onnxruntime-node)';

/** Loads an ONNX file and checks that it maps a 1 × 3 × 256 × 256 picture to 512 values. Throws UnusableModel. */
export async function openSession(path: string): Promise<EncoderSession> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node').catch(() => {
    throw new UnusableModel(NOT_INSTALLED);
  });
  // One thread: photos are processed side by side.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const;
  const session = await InferenceSession.create(path, options).catch((error: Error) => {
    throw new UnusableModel(
      `it is not an ONNX graph that can be loaded: ${brief(error.message.replaceAll(path, 'the file'))}`,
    );
  });
  try {
    const [inputName, outputName] = [inputOf(session), outputOf(session)];
    return {
      inputName,
      outputName,
      async embed(picture) {
        const image = new Tensor('float32', encoderInput(picture), INPUT_SHAPE);
        const output = (await session.run({ [inputName]: image }, [outputName]))[outputName]!;
        return unitVector(output.data as Float32Array);
      },
      close: () => session.release(),
    };
  } catch (error) {
    await session.release();
    throw error;
  }
}

function inputOf({ inputMetadata }: InferenceSession): string {
  const [input, ...others] = inputMetadata;
  if (input === undefined || others.length > 0)
    throw new UnusableModel(`it takes ${inputMetadata.length} inputs; an image encoder takes one`);
  if (!input.isTensor || input.type !== 'float32' || !fits(input.shape, INPUT_SHAPE))
    throw new UnusableModel(`its input is ${described(input)}; an image is float32 ${INPUT_SHAPE.join(' × ')}`);
  return input.name;
}

/** A graph may give more than the embedding: the one output of 512 values is taken. */
function outputOf({ outputMetadata }: InferenceSession): string {
  const fitting = outputMetadata.filter(
    (output) => output.isTensor && output.type === 'float32' && fits(output.shape, [1, VECTOR_LENGTH]),
  );
  if (fitting.length === 1) return fitting[0]!.name;
  const outputs = outputMetadata.map(described).join(', ');
  throw new UnusableModel(`its output is ${outputs}; an embedding is one of float32 1 × ${VECTOR_LENGTH}`);
}

/** Sizes that the graph leaves open fit anything. */
function fits(shape: readonly (number | string)[], wanted: readonly number[]): boolean {
  return shape.length === wanted.length && wanted.every((size, i) => typeof shape[i] === 'string' || shape[i] === size);
}

function described(value: InferenceSession.ValueMetadata): string {
  return value.isTensor ? `${value.type} ${value.shape.join(' × ')}` : 'no tensor';
}

function brief(message: string): string {
  return message.replace(/\s+/g, ' ').slice(0, 200);
}
