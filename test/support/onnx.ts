import { seeded } from './vectors.ts';

/**
 * Writes ONNX files byte by byte (protocol buffers, onnx.proto of IR version 8, opset 13): a real image encoder in small.
 * The picture is averaged over a grid of 8 × 8, and multiplied by seeded weights.
 */
export type OnnxGraph = {
  seed?: number;
  inputName?: string;
  outputName?: string;
  inputShape?: (number | string)[];
  /** Values of the output. */
  outputLength?: number;
  /** The same vector for every picture. */
  isBlind?: boolean;
};

const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INTS = 7;
const GRID = 8;

export function onnxEncoder(graph: OnnxGraph = {}): Buffer {
  const { seed = 1, inputName = 'image', outputName = 'embedding', outputLength = 512, isBlind = false } = graph;
  const { inputShape = ['batch', 3, 256, 256] } = graph;
  const values = 3 * GRID * GRID;
  const cell = inputShape.slice(2).map((side) => Number(side) / GRID);
  const random = seeded(seed);
  const weights = Float32Array.from({ length: values * outputLength }, () => random() - 0.5);
  const body = message(
    bytes(1, node('AveragePool', [inputName], ['pooled'], { kernel_shape: cell, strides: cell })),
    bytes(1, node('Reshape', ['pooled', 'flat_shape'], ['flat'])),
    bytes(1, node('Add', ['flat', 'offset'], ['centered'])),
    bytes(1, node('Mul', ['centered', 'contrast'], ['seen'])),
    bytes(1, node('Add', ['seen', 'one'], ['raised'])),
    bytes(1, node('MatMul', ['raised', 'weights'], [outputName])),
    text(2, 'encoder'),
    bytes(5, tensor('flat_shape', [2], INT64, int64s([-1, values]))),
    bytes(5, floats('offset', [1], [-0.5])),
    bytes(5, floats('contrast', [1], [isBlind ? 0 : 1])),
    bytes(5, floats('one', [1], [isBlind ? 1 : 0])),
    bytes(5, floats('weights', [values, outputLength], weights)),
    bytes(11, valueInfo(inputName, inputShape)),
    bytes(12, valueInfo(outputName, ['batch', outputLength])),
  );
  const opset = message(text(1, ''), varint(2, 13));
  return Buffer.from(message(varint(1, 8), text(2, 'mintmark tests'), bytes(7, body), bytes(8, opset)));
}

function node(type: string, inputs: string[], outputs: string[], attributes: Record<string, number[]> = {}): Buffer {
  return message(
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, type),
    ...Object.entries(attributes).map(([name, ints]) =>
      bytes(5, message(text(1, name), ...ints.map((one) => varint(8, one)), varint(20, ATTRIBUTE_INTS))),
    ),
  );
}

function floats(name: string, dims: number[], values: ArrayLike<number>): Buffer {
  return tensor(name, dims, FLOAT, Buffer.from(Float32Array.from(values).buffer));
}

function tensor(name: string, dims: number[], type: number, raw: Buffer): Buffer {
  return message(...dims.map((dim) => varint(1, dim)), varint(2, type), text(8, name), bytes(9, raw));
}

function valueInfo(name: string, shape: (number | string)[]): Buffer {
  const dims = shape.map((dim) => bytes(1, message(typeof dim === 'number' ? varint(1, dim) : text(2, dim))));
  return message(text(1, name), bytes(2, message(bytes(1, message(varint(1, FLOAT), bytes(2, message(...dims)))))));
}

function int64s(values: number[]): Buffer {
  const buffer = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) buffer.writeBigInt64LE(BigInt(value), 8 * i);
  return buffer;
}

/** The fields of a message, one after another. */
function message(...fields: Buffer[]): Buffer {
  return Buffer.concat(fields);
}

/** A field of whole numbers (wire type 0). */
function varint(field: number, value: number): Buffer {
  return Buffer.concat([digits(field << 3), digits(value)]);
}

/** A field of bytes or of a message (wire type 2). */
function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([digits((field << 3) | 2), digits(value.length), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

/** Seven bits a byte, the lowest first; all but the last have the high bit set. */
function digits(value: number): Buffer {
  const out: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest]);
    out.push((rest % 128) | 128);
  }
}
