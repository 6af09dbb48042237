import { normalizationRulesSchema } from "../../../protocol/normalization-rules.ts";
import type { EngineSettings } from "../../store/store.ts";

const columns = ["order", "pattern", "replacement", "locale", "description"] as const;

/** A field of a CSV file (RFC 4180), quoted where necessary. */
function field(value: string | number | null | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rules of a config's row as CSV, in the order in which they run. An empty locale means every locale. */
export function rulesCsv(engine: EngineSettings | null): string {
  const { rules } = normalizationRulesSchema.parse(engine ?? {});
  const lines = rules
    .toSorted((left, right) => left.order - right.order)
    .map((rule) => columns.map((column) => field(rule[column])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}
