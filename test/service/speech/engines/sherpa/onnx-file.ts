/** Writes ONNX files (onnx.proto3 of the ONNX project, IR version 8, operator set 13), only what the tiny models need. */

/** An input or output. A dimension with a name is variable. */
export interface OnnxValue {
  name: string;
  type: "float" | "int64";
  shape: readonly (number | string)[];
}

/** An operator with the names of its inputs and outputs. */
export interface OnnxNode {
  operator: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, number | string>>;
}

/** A model. Its tensors are constants. */
export interface OnnxModel {
  nodes: readonly OnnxNode[];
  tensors: readonly { name: string; shape: readonly number[]; values: Float32Array | BigInt64Array }[];
  inputs: readonly OnnxValue[];
  outputs: readonly OnnxValue[];
  metadata: Readonly<Record<string, string | number>>;
}

const elementTypes = { float: 1, int64: 7 } as const;

function variableLength(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Buffer.from(bytes);
}

/** A field of a message of Protocol Buffers with a number, or with a text, bytes or the fields of another message. */
function field(number: number, ...value: [number] | (string | Uint8Array)[]): Buffer {
  if (typeof value[0] === "number")
    return Buffer.concat([variableLength(number << 3), variableLength(value[0])]);
  const bytes = Buffer.concat((value as (string | Uint8Array)[]).map((part) => Buffer.from(part)));
  return Buffer.concat([variableLength((number << 3) | 2), variableLength(bytes.length), bytes]);
}

const attribute = ([name, value]: [string, number | string]): Buffer =>
  typeof value === "number"
    ? field(5, field(1, name), field(3, value), field(20, 2))
    : field(5, field(1, name), field(4, value), field(20, 3));

function valueInfo(number: number, { name, type, shape }: OnnxValue): Buffer {
  const sizes = shape.map((size) => field(1, typeof size === "string" ? field(2, size) : field(1, size)));
  return field(number, field(1, name), field(2, field(1, field(1, elementTypes[type]), field(2, ...sizes))));
}

/** The bytes of a model's file. */
export function onnxFile({ nodes, tensors, inputs, outputs, metadata }: OnnxModel): Buffer {
  const graph = [
    ...nodes.map(({ operator, inputs: names, output, attributes = {} }) => {
      const given = [...names.map((name) => field(1, name)), field(2, output), field(4, operator)];
      return field(1, ...given, ...Object.entries(attributes).map(attribute));
    }),
    field(2, "graph"),
    ...tensors.map(({ name, shape, values }) => {
      const type = elementTypes[values instanceof Float32Array ? "float" : "int64"];
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      return field(
        5,
        ...shape.map((size) => field(1, size)),
        field(2, type),
        field(8, name),
        field(9, bytes),
      );
    }),
    ...inputs.map((input) => valueInfo(11, input)),
    ...outputs.map((output) => valueInfo(12, output)),
  ];
  const named = Object.entries(metadata).map(([name, value]) =>
    field(14, field(1, name), field(2, String(value))),
  );
  return Buffer.concat([field(1, 8), field(7, ...graph), field(8, field(1, ""), field(2, 13)), ...named]);
}
