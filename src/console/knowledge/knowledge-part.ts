import { LitElement, type PropertyDeclarations } from "lit";
import { ApiError } from "../api/api-error.ts";
import type { ConversationAvatar } from "../conversations/conversation-requests.ts";
import { errorText } from "../parts/error-text.ts";
import type { Services } from "../services.ts";

/** A part of the knowledge page. It renders into the page, and says when it has changed something. */
export abstract class KnowledgePart extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    avatars: { attribute: false },
    onChanged: { attribute: false },
    isBusy: { state: true },
    error: { state: true },
  };

  declare services: Services;
  /** The avatars that may answer from documents. */
  declare avatars: readonly ConversationAvatar[];
  /** Called when documents or websites have changed. */
  declare onChanged: () => void;
  declare isBusy: boolean;
  /** Why the last thing failed. */
  declare error: ApiError | null;

  constructor() {
    super();
    this.avatars = [];
    this.onChanged = () => undefined;
    this.isBusy = false;
    this.error = null;
  }

  protected override createRenderRoot(): this {
    return this;
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
