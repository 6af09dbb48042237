import type { PropertyValues } from "lit";
import { vi } from "vitest";
import type { AvatarSession, AvatarSessionOptions } from "../../src/client/index.ts";
import { VisavisAvatar } from "../../src/widget/visavis-avatar.ts";
import { ScriptedSession } from "./scripted-session.ts";

/** The element with a session that the test controls. It does not wait for a first frame: there is none. */
export class ScriptedAvatar extends VisavisAvatar {
  script = new ScriptedSession();
  /** The options of each session that the element has made. */
  readonly made: AvatarSessionOptions[] = [];
  /** How often it has been rendered. */
  renders = 0;

  protected override update(changed: PropertyValues): void {
    this.renders += 1;
    super.update(changed);
  }

  protected override makeSession(options: AvatarSessionOptions): AvatarSession {
    this.made.push(options);
    return this.script;
  }

  protected override get patienceMs(): number {
    return 0;
  }
}

/** After so many rounds without a render nothing is pending: a view may be loaded by what another one has loaded. */
const quietRounds = 4;

/** Waits for promises, lazy views and renders, until no more come. */
export async function settled(element: ScriptedAvatar): Promise<void> {
  for (let quiet = 0; quiet < quietRounds; quiet += 1) {
    const { renders } = element;
    // The panel's parts are loaded after the wait for the first frame, which takes no time here.
    await new Promise((resolve) => setTimeout(resolve));
    await vi.dynamicImportSettled();
    const isComplete = await element.updateComplete;
    if (!isComplete || element.renders !== renders) quiet = -1;
  }
}
