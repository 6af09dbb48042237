import type { AvatarSession, AvatarSessionOptions } from "../../client/index.ts";
import type { Pose } from "../editor/preview-message.ts";
import { PosedSession } from "./posed-session.ts";

const tagName = "visavis-avatar-posed";

const poses = new WeakMap<HTMLElement, Pose>();

/** The address of a context's public view on the relay of this page. */
export const viewAddress = (contextId: string): string =>
  `${location.origin}/embed/v1/contexts/${encodeURIComponent(contextId)}`;

/**
 * Defines an element that is the public one but for its session, so that the preview shows states of a conversation exactly as visitors
 * see them. Call it once, with the class of the public element.
 */
export function definePosedAvatar(Avatar: CustomElementConstructor): void {
  class PosedAvatar extends Avatar {
    /** No first frame will come: everything is drawn at once. */
    protected get patienceMs(): number {
      return 0;
    }

    protected makeSession({ contextId }: AvatarSessionOptions): AvatarSession {
      return new PosedSession(viewAddress(contextId), poses.get(this) ?? { kind: "ready", words: "" });
    }
  }
  customElements.define(tagName, PosedAvatar);
}

/** An avatar in a pose. */
export function posedAvatar(pose: Pose): HTMLElement {
  const element = document.createElement(tagName);
  poses.set(element, pose);
  return element;
}
