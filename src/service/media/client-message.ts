import { clientMessageSchema, type ClientMessage } from "../../protocol/data-channel.ts";

const messageMaxBytes = 65_536;

/** Faults that are remembered at most; a client can invent any number of types. */
const rememberedFaults = 16;

/** Reads a session's data channel messages. What cannot be read is reported once for each kind of fault, and ignored. */
export class ClientMessageReader {
  readonly #report: (fault: string) => void;
  readonly #reported = new Set<string>();

  constructor(report: (fault: string) => void) {
    this.#report = report;
  }

  /** The message, or undefined when it is to be ignored. */
  read(data: unknown): ClientMessage | undefined {
    const value =
      typeof data === "string" && Buffer.byteLength(data) <= messageMaxBytes ? jsonOf(data) : undefined;
    if (value === undefined) {
      this.#ignore("A message that is no JSON, binary or above 64 KiB was ignored.");
      return undefined;
    }
    const parsed = clientMessageSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.#ignore(`A message of the unknown or wrong form ${typeOf(value)} was ignored.`);
    return undefined;
  }

  /** Reports a message that is well-formed and has no effect. */
  ignore(type: ClientMessage["type"]): void {
    this.#ignore(`A message of type ${type}, which has no effect here, was ignored.`);
  }

  #ignore(fault: string): void {
    if (this.#reported.has(fault) || this.#reported.size >= rememberedFaults) return;
    this.#reported.add(fault);
    this.#report(fault);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function typeOf(value: unknown): string {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type === "string" ? JSON.stringify(type.slice(0, 32)) : "without a type";
}
