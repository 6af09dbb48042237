import { vi } from "vitest";
import type { AvatarSession, AvatarSessionOptions } from "../../src/client/index.ts";
import { VisavisAvatar } from "../../src/widget/visavis-avatar.ts";
import { ScriptedSession } from "./scripted-session.ts";

/** The element with a session that the test controls. It does not wait for a first frame: there is none. */
export class ScriptedAvatar extends VisavisAvatar {
  script = new ScriptedSession();
  /** The options of each session that the element has made. */
  readonly made: AvatarSessionOptions[] = [];

  protected override makeSession(options: AvatarSessionOptions): AvatarSession {
    this.made.push(options);
    return this.script;
  }

  protected override get patienceMs(): number {
    return 0;
  }
}

/** Waits for promises, lazy views and renders. */
export async function settled(element: ScriptedAvatar): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    // The panel's parts are loaded after the wait for the first frame, which takes no time here.
    await new Promise((resolve) => setTimeout(resolve));
    await vi.dynamicImportSettled();
    await element.updateComplete;
  }
}
