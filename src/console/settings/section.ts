import { LitElement, type PropertyDeclarations } from "lit";
import { errorText } from "../parts/error-text.ts";
import type { Services } from "../services.ts";

/** A section of the settings, with data of its own. */
export abstract class SettingsSection extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    isBusy: { state: true },
  };
  declare services: Services;
  /** Something is being changed, so that it is not done twice. */
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  /** Reads the section's data again. */
  abstract load(): Promise<void>;

  /** Makes a change, confirms it, and reads the data again. A failure is shown at the bottom of the page. Returns false if it failed. */
  protected async change(act: () => Promise<unknown>, say = ""): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      await act();
      if (say !== "") this.services.toasts.show(say);
      return true;
    } catch (error) {
      this.services.toasts.show(errorText(error));
      return false;
    } finally {
      this.isBusy = false;
      void this.load();
    }
  }
}
