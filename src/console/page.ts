import { LitElement, type PropertyDeclarations } from "lit";
import type { RouteParams } from "./router.ts";
import type { Services } from "./services.ts";

/** A page whose heading is known later than its first rendering reports it by this event. */
export const headingEvent = "heading";

/**
 * A page of the console. It has no shadow root, so that the console's style sheets and labels apply to it. Its first rendering
 * contains the `h1`, which gets the focus after navigation, or `headingEvent` follows.
 */
export abstract class ConsolePage extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    params: { attribute: false },
    query: { attribute: false },
  };

  /** Set before the page is connected. */
  declare services: Services;
  /** Parameters of the path. They may change while the page is shown. */
  declare params: RouteParams;
  /** The address's query. */
  declare query: URLSearchParams;

  protected override createRenderRoot(): this {
    return this;
  }
}
