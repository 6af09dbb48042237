import { randomUUID } from "node:crypto";
import type { ToolCall, ToolDefinition } from "../../../../protocol/answers/llm-request.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import type { CallPart } from "./chat-chunk.ts";

/** More than any model calls in one answer. */
const maxCalls = 64;
const argumentsMaxCharacters = 262_144;

/** Fields of a call that the protocol does not have, and that its server may want back, such as a signature. */
export type VendorFields = Readonly<Record<string, unknown>>;

/** A call with its vendor's fields: beside those of the protocol, and within `function`. */
export interface AssembledCall {
  call: ToolCall;
  vendor: { call: VendorFields; function: VendorFields };
}

interface PartialCall {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
  vendor: AssembledCall["vendor"];
}

/** Some servers send arguments as an object instead of its text. */
function argumentsText(given: unknown): string {
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : JSON.stringify(given);
}

/** The offered tool that a model means: some write a namespace before its name. */
function offeredName(name: string, tools: readonly ToolDefinition[]): string {
  const isOffered = (one: string): boolean => tools.some((tool) => tool.function.name === one);
  const own = name.trim().replace(/^.*[.:/]/, "");
  return !isOffered(name) && isOffered(own) ? own : name;
}

/** Assembles calls whose parts arrive in several chunks. */
export class ToolCallAssembly {
  readonly #calls: PartialCall[] = [];

  /** Throws EngineError `not_understood` when calls exceed the limits. */
  add(part: CallPart): void {
    const call = this.#callOf(part);
    const { index: _index, id, type: _type, function: called, ...vendor } = part;
    const { name, arguments: given, ...vendorWithin } = called ?? {};
    if (id) call.id = id;
    // Some servers repeat the name with every part, so it is set and not appended.
    if (name) call.name = name;
    call.arguments += argumentsText(given);
    Object.assign(call.vendor.call, vendor);
    Object.assign(call.vendor.function, vendorWithin);
    if (call.arguments.length > argumentsMaxCharacters || this.#calls.length > maxCalls)
      throw new EngineError("not_understood");
  }

  /** The calls, by the names of the offered tools. */
  calls(tools: readonly ToolDefinition[]): AssembledCall[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map(({ id, name, arguments: text, vendor }) => ({
        call: {
          id: id || `call_${randomUUID()}`,
          type: "function",
          function: { name: offeredName(name, tools), arguments: text.trim() === "" ? "{}" : text },
        },
        vendor,
      }));
  }

  /** Finds a call by index. Servers that send no index send each call as a whole, or continue the last one. */
  #callOf({ index = null, id, function: called }: CallPart): PartialCall {
    const known =
      index !== null
        ? this.#calls.findLast((call) => call.index === index)
        : id
          ? this.#calls.find((call) => call.id === id)
          : called?.name
            ? undefined
            : this.#calls.at(-1);
    // Some servers give each of their calls the index 0: another id with a name is another call.
    const isAnother = id && called?.name && known?.id && known.id !== id;
    if (known && !isAnother) return known;
    const call: PartialCall = { index, id: "", name: "", arguments: "", vendor: { call: {}, function: {} } };
    this.#calls.push(call);
    return call;
  }
}
