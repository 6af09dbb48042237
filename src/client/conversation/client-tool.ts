import { wrong } from "../wrong-value.ts";

/** A function of the page that the language model may call. `parameters` is a JSON schema. */
export interface ClientTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** What visitors read while it runs, such as "Looking up your order". Without it they read a general text. */
  title?: string;
  /** How long it may run, in ms. Default: 20 s. Then the model is told that it failed. */
  timeoutMs?: number;
  /**
   * Gets the parsed arguments, and a signal that is aborted when the time is up or the visitor interrupts. What it returns
   * (or its promise resolves to) is sent to the model as JSON. What it throws is told to the model as a failure. An object with
   * the field `visavis` also shows its content (see `show()`) after the answer.
   */
  run(args: unknown, options: { readonly signal: AbortSignal }): unknown;
}

/**
 * Adds a tool to others, in place of one of the same name. Throws a TypeError that names the field of a tool that no model could be
 * offered: every question with it would fail.
 */
export function addTool(tools: Map<string, ClientTool>, tool: ClientTool): void {
  // Pages that are not written in TypeScript pass anything.
  const given: Readonly<Record<string, unknown>> = { ...tool };
  // As JSON. Descriptions and parameters may be missing.
  const shapes = { name: /^"[\w-]{1,64}"$/, description: /^["u]/, parameters: /^[{nu]/ };
  for (const [field, shape] of Object.entries(shapes))
    if (!shape.test(JSON.stringify(given[field]))) throw wrong(field);
  if (typeof tool.run !== "function") throw wrong("run");
  tools.set(tool.name, tool);
}
