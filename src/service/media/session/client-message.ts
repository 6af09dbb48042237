import type * as z from "zod/mini";
import { clientMessageSchema, type ClientMessage } from "../../../protocol/session/data-channel.ts";

const messageMaxBytes = 65_536;

/** The most faults that are remembered; a client can invent any number of types. */
const rememberedFaults = 16;

/** Parses a session's data channel messages. Invalid ones are ignored and reported once for each kind of fault. */
export class ClientMessageReader {
  readonly #report: (fault: string) => void;
  readonly #reported = new Set<string>();

  constructor(report: (fault: string) => void) {
    this.#report = report;
  }

  /** The message, or undefined if it is ignored. */
  read(data: unknown): ClientMessage | undefined {
    const value =
      typeof data === "string" && Buffer.byteLength(data) <= messageMaxBytes ? jsonOf(data) : undefined;
    if (value === undefined) {
      this.#ignore("A message that is not JSON, is binary or is above 64 KiB was ignored.");
      return undefined;
    }
    const parsed = clientMessageSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const form = typeOf(value) + wrongFields(parsed.error);
    this.#ignore(`A message of the unknown or wrong form ${form} was ignored.`);
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields that do not fit, of a message whose type is known: ` (data.rate)`. */
function wrongFields({ issues }: z.core.$ZodError): string {
  const fields = new Set(issues.map(({ path }) => path.join(".")).filter((path) => path.startsWith("data")));
  return fields.size > 0 ? ` (${[...fields].join(", ")})` : "";
}

function typeOf(value: unknown): string {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type === "string" ? JSON.stringify(type.slice(0, 32)) : "without a type";
}
