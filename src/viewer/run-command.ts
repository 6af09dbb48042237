import { variablesSchema, type Variables } from "../protocol/llm-stream.ts";
import type { ViewerCommand } from "../protocol/viewer-message.ts";

/** The part of the element's contract that a parent may use. */
export interface CommandedElement {
  open(): void;
  close(): void;
  start(): Promise<void>;
  end(): Promise<void>;
  send(text: string): Promise<void>;
  say(text: string): void;
  interrupt(): void;
  mute(): void;
  unmute(): void;
  setVariables(variables: Variables): void;
}

function withText(given: unknown, act: (text: string) => unknown): unknown {
  return typeof given === "string" ? act(given) : undefined;
}

function withVariables(given: unknown, act: (variables: Variables) => unknown): unknown {
  const parsed = variablesSchema.safeParse(given);
  return parsed.success ? act(parsed.data) : undefined;
}

/** Does what the parent asks, as far as its arguments fit. Failures reach the parent as the element's own events. */
export function runCommand(element: CommandedElement, { command, args: [given] }: ViewerCommand): void {
  const outcome = ((): unknown => {
    switch (command) {
      case "send":
        return withText(given, (text) => element.send(text));
      case "say":
        return withText(given, (text) => element.say(text));
      case "setVariables":
        return withVariables(given, (variables) => element.setVariables(variables));
      default:
        return element[command]();
    }
  })();
  if (outcome instanceof Promise) outcome.catch(() => undefined);
}
