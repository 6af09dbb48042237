import { variablesSchema, type Variables } from "../protocol/session/variables.ts";
import type { ViewerMethod } from "../protocol/page/element-contract.ts";
import type { ViewerCommand } from "../protocol/page/viewer-message.ts";
import type { VisavisAvatar } from "../widget/visavis-avatar.ts";

/** The part of the element that a parent may use. */
export type CommandedElement = Pick<VisavisAvatar, ViewerMethod | "dispatchEvent">;

function withText(given: unknown, act: (text: string) => unknown): unknown {
  return typeof given === "string" ? act(given) : undefined;
}

function withVariables(given: unknown, act: (variables: Variables) => unknown): unknown {
  const parsed = variablesSchema.safeParse(given);
  return parsed.success ? act(parsed.data) : undefined;
}

/** The parent is told what does not fit, as the element's own page is by `show()`. */
async function showContent(element: CommandedElement, given: unknown): Promise<void> {
  const { readRichContent } = await import("../protocol/answers/read-rich-content.ts");
  const read = readRichContent(given);
  if ("content" in read) {
    await element.show(read.content);
    return;
  }
  const detail = { code: "invalid_content", message: `show(): ${read.fault}` };
  element.dispatchEvent(new CustomEvent("visavis-error", { detail }));
}

/** Runs a command of the parent if its arguments fit. The parent learns of failures by the element's own events. */
export function runCommand(element: CommandedElement, { command, args: [given] }: ViewerCommand): void {
  const outcome = ((): unknown => {
    switch (command) {
      case "send":
        return withText(given, (text) => element.send(text));
      case "say":
        return withText(given, (text) => element.say(text));
      case "setVariables":
        return withVariables(given, (variables) => element.setVariables(variables));
      case "show":
        return showContent(element, given);
      default:
        return element[command]();
    }
  })();
  if (outcome instanceof Promise) outcome.catch(() => undefined);
}
