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
