import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { ApiError } from "../api/api-error.ts";
import type { ConversationAvatar } from "../conversations/conversation-requests.ts";
import { errorText } from "../parts/error-text.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";

/** A part of the knowledge page. It renders into the page, and says when it has changed something. */
export abstract class KnowledgePart extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    avatars: { attribute: false },
    preferred: { attribute: false },
    onChanged: { attribute: false },
    isBusy: { state: true },
    error: { state: true },
  };

  declare services: Services;
  /** The avatars that may answer from documents. */
  declare avatars: readonly ConversationAvatar[];
  /** The ids of those that get what is added, until somebody chooses; null: all. */
  declare preferred: readonly string[] | null;
  /** Called when documents or websites have changed. */
  declare onChanged: () => void;
  declare isBusy: boolean;
  /** Why the last thing failed. */
  declare error: ApiError | null;

  constructor() {
    super();
    this.avatars = [];
    this.preferred = null;
    this.onChanged = () => undefined;
    this.isBusy = false;
    this.error = null;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  /** The avatars that get what is added. `chosen`: those that somebody has chosen; null: nobody has. */
  protected receivers(chosen: string[] | null): string[] {
    return chosen ?? [...(this.preferred ?? this.avatars.map(({ id }) => id))];
  }

  /** Does one thing at a time. Undefined: it failed, and `error` says why; or another one is being done. */
  protected async do<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    if (this.isBusy) return undefined;
    this.isBusy = true;
    this.error = null;
    try {
      return await act();
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
      return undefined;
    } finally {
      this.isBusy = false;
    }
  }

  /** What is wrong with a field, or with everything where no field is named. */
  protected faultOf(field: string): string | undefined {
    if (this.error === null) return undefined;
    const named = this.error.fields[field];
    if (named !== undefined) return named;
    return Object.keys(this.error.fields).length === 0 ? errorText(this.error) : undefined;
  }
}

interface AvatarChoice {
  avatars: readonly ConversationAvatar[];
  /** UUIDs of those that are chosen. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The names of avatars, as people list them. */
export const avatarNames = (avatars: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(
    avatars.map(({ name }) => name),
  );

/** The avatars that answer from something: their names, and below them a list to choose from. */
export function avatarChoice({ avatars, chosen, onChange }: AvatarChoice): TemplateResult | typeof nothing {
  if (avatars.length === 0) return nothing;
  const names = avatarNames(avatars.filter(({ id }) => chosen.includes(id)));
  const toggle = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen.filter((one) => one !== id), id] : chosen.filter((one) => one !== id));
  return html`<details class="used">
    <summary>${texts.knowledge.add.usedBy(names)}</summary>
    <fieldset>
      <legend class="sr">${texts.knowledge.add.usedByLegend}</legend>
      ${avatars.map(
        ({ id, name }) =>
          html`<label
            ><input
              type="checkbox"
              .checked=${chosen.includes(id)}
              @change=${(event: Event) =>
                toggle(id, event.target instanceof HTMLInputElement && event.target.checked)}
            />${name}</label
          >`,
      )}
    </fieldset>
  </details>`;
}
