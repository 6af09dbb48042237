/** Writes ONNX files (onnx.proto3 of the ONNX project, IR version 8, operator set 13), only what the tiny models need. */

type Dimension = number | string;

/** An operator with the names of its inputs and outputs. */
export interface OnnxNode {
  operator: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, number | string>>;
}

/** Constants of a model. */
export interface OnnxTensor {
  name: string;
  shape: readonly number[];
  values: Float32Array | BigInt64Array;
}

/** An input or output. A dimension with a name is variable. */
export interface OnnxValue {
  name: string;
  type: "float" | "int64";
  shape: readonly Dimension[];
}

/** A model. */
export interface OnnxModel {
  nodes: readonly OnnxNode[];
  tensors: readonly OnnxTensor[];
  inputs: readonly OnnxValue[];
  outputs: readonly OnnxValue[];
  metadata: Readonly<Record<string, string | number>>;
}

const elementTypes = { float: 1, int64: 7 } as const;
const attributeTypes = { int: 2, string: 3 } as const;

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

function numberField(field: number, value: number): Buffer {
  return Buffer.concat([variableLength(field << 3), variableLength(value)]);
}

function bytesField(field: number, value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([variableLength((field << 3) | 2), variableLength(bytes.length), bytes]);
}

const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);

function attribute(name: string, value: number | string): Buffer {
  return typeof value === "number"
    ? message(bytesField(1, name), numberField(3, value), numberField(20, attributeTypes.int))
    : message(bytesField(1, name), bytesField(4, value), numberField(20, attributeTypes.string));
}

function node({ operator, inputs, output, attributes = {} }: OnnxNode): Buffer {
  return message(
    ...inputs.map((input) => bytesField(1, input)),
    bytesField(2, output),
    bytesField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
  );
}

function tensor({ name, shape, values }: OnnxTensor): Buffer {
  const type = values instanceof Float32Array ? elementTypes.float : elementTypes.int64;
  return message(
    ...shape.map((size) => numberField(1, size)),
    numberField(2, type),
    bytesField(8, name),
    bytesField(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  );
}

function valueInfo({ name, type, shape }: OnnxValue): Buffer {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === "string" ? bytesField(2, size) : numberField(1, size)),
  );
  const tensorType = message(numberField(1, elementTypes[type]), bytesField(2, message(...dimensions)));
  return message(bytesField(1, name), bytesField(2, bytesField(1, tensorType)));
}

/** The bytes of a model's file. */
export function onnxFile({ nodes, tensors, inputs, outputs, metadata }: OnnxModel): Buffer {
  const graph = message(
    ...nodes.map((one) => bytesField(1, node(one))),
    bytesField(2, "graph"),
    ...tensors.map((one) => bytesField(5, tensor(one))),
    ...inputs.map((one) => bytesField(11, valueInfo(one))),
    ...outputs.map((one) => bytesField(12, valueInfo(one))),
  );
  return message(
    numberField(1, 8),
    bytesField(7, graph),
    bytesField(8, message(bytesField(1, ""), numberField(2, 13))),
    ...Object.entries(metadata).map(([name, value]) =>
      bytesField(14, message(bytesField(1, name), bytesField(2, String(value)))),
    ),
  );
}
