import { embedContextPutSchema } from "../../protocol/embed-context.ts";
import type { EmbedContextPut } from "../../protocol/embed-context.ts";
import { valueAt, withValue } from "./settings-path.ts";

/** What is wrong with a value. `limit`: the bound that it breaks. */
export type Fault =
  | { readonly code: "required" | "form" }
  | { readonly code: "too_long" | "too_many" | "at_least" | "at_most"; readonly limit: number };

/** Faults by the dotted path of the value. */
export type Faults = ReadonlyMap<string, Fault>;

/** As zod reports it, in the parts that matter here. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}

function faultOf({ code, origin, minimum, maximum }: Issue): Fault {
  if (code === "too_small" && origin === "string") return { code: "required" };
  if (code === "too_small" && minimum !== undefined) return { code: "at_least", limit: Number(minimum) };
  if (code === "too_big" && maximum !== undefined) {
    const limit = Number(maximum);
    if (origin === "string") return { code: "too_long", limit };
    return { code: origin === "array" ? "too_many" : "at_most", limit };
  }
  return { code: "form" };
}

/** What is wrong with settings, as far as that can be told without the server. */
export function faultsOf(settings: EmbedContextPut): Faults {
  const parsed = embedContextPutSchema.safeParse(settings);
  if (parsed.success) return new Map();
  // The first fault of a value says enough.
  const found = parsed.error.issues.map((issue): [string, Fault] => [issue.path.join("."), faultOf(issue)]);
  return new Map(found.reverse());
}

/** The fault of a field: of its value, or of an entry of its list. */
export function faultAt<Value>(faults: ReadonlyMap<string, Value>, path: string): Value | undefined {
  const exact = faults.get(path);
  if (exact !== undefined) return exact;
  for (const [at, fault] of faults) if (at.startsWith(`${path}.`)) return fault;
  return undefined;
}

/** The path of the field that a path inside a list belongs to. */
const fieldOf = (path: string): string => path.replace(/\.\d+(?:\..*)?$/, "");

/** Settings that the server accepts: what has a fault is as it was saved. */
export function previewable(
  settings: EmbedContextPut,
  saved: EmbedContextPut,
  faults: Iterable<string>,
): EmbedContextPut {
  let shown = settings;
  for (const path of faults) shown = withValue(shown, fieldOf(path), valueAt(saved, fieldOf(path)));
  return shown;
}
