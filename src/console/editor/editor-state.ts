import {
  type ContextSettings,
  contextSettingsSchema,
  type EmbedContextAnswer,
} from "../../protocol/settings/embed-context.ts";
import type { ContextDraft } from "../../protocol/console/avatars.ts";
import { contextConflictSchema } from "../../protocol/console/contexts.ts";
import { ApiError } from "../api/api-error.ts";
import { type Faults, faultsOf } from "./fields/form-fields.ts";
import { changedPaths, isSame, merged, valueAt, withValue } from "./settings-path.ts";

/** What the editor asks the server for. All throw ApiError. */
export interface EditorServer {
  save(settings: ContextSettings, revision: number): Promise<EmbedContextAnswer>;
  /** Null: none is kept. */
  draft(): Promise<ContextDraft | null>;
  keepDraft(settings: ContextSettings, revision: number): Promise<void>;
  dropDraft(): Promise<void>;
  /** The settings of a kept version; null if it is not kept any more. */
  version(revision: number): Promise<ContextSettings | null>;
}

/** How long nothing is typed before a draft is kept, in ms. */
const draftDelayMs = 800;

/** The settings in a context's view. */
export function settingsOf(context: EmbedContextAnswer): ContextSettings {
  const keys = Object.keys(contextSettingsSchema.shape);
  const settings = Object.fromEntries(Object.entries(context).filter(([key]) => keys.includes(key)));
  return contextSettingsSchema.parse(settings);
}

/**
 * An avatar that is being edited: what is saved, what was typed, and what is wrong with it. Nothing that was typed is lost: not by a
 * failed save, not by another editor, not by a closed window.
 */
export class EditorState {
  /** As the server has it. */
  saved: EmbedContextAnswer;
  /** As the form has it. */
  settings: ContextSettings;
  faults: Faults = new Map();
  /** What the server said about values, by their paths. */
  refused: ReadonlyMap<string, string> = new Map();
  /** What somebody else saved meanwhile. */
  theirs: EmbedContextAnswer | null = null;
  /** Why the last save failed. */
  failure: unknown = null;
  /** When the draft was kept that the form began with. */
  resumedFrom: string | null = null;
  #saving: Promise<boolean> | null = null;
  readonly #server: EditorServer;
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called after each change. */
  constructor(saved: EmbedContextAnswer, server: EditorServer, changed: () => void) {
    this.saved = saved;
    this.settings = settingsOf(saved);
    this.#server = server;
    this.#changed = changed;
  }

  /** What of the saved settings has no effect, by the paths of the values; also what this form has no field for. */
  get warnings(): ReadonlyMap<string, string> {
    const { warnings = [] } = this.saved;
    const said = warnings.map(({ attr, detail }): [string, string] => [attr ?? "", detail]);
    // What was changed since then may be right now: the form says itself what it knows to be wrong.
    return new Map(said.filter(([path]) => isSame(this.value(path), this.savedValue(path))));
  }

  /** The dotted paths of what is not saved. */
  get changes(): string[] {
    return changedPaths(settingsOf(this.saved), this.settings);
  }

  /** A value of the form. */
  value(path: string): unknown {
    return valueAt(this.settings, path);
  }

  /** The value that is saved. */
  savedValue(path: string): unknown {
    return valueAt(this.saved, path);
  }

  /** Changes a value of the form; undefined removes it. */
  set(path: string, value: unknown): void {
    if (isSame(this.value(path), value)) return;
    const refused = [...this.refused].filter(([at]) => at !== path && !at.startsWith(`${path}.`));
    this.refused = new Map(refused);
    this.#become(withValue(this.settings, path, value));
  }

  /** Takes up the draft that this account has left. Changes of others since then stay. */
  async resume(): Promise<void> {
    const draft = await this.#server.draft();
    if (draft === null) return;
    // A draft may be half typed, or of an older version of the server: what does not fit shows as a fault in the form.
    const typed: ContextSettings = { ...settingsOf(this.saved), ...draft.settings };
    const isCurrent = draft.revision === this.#revision;
    const base = isCurrent ? null : await this.#server.version(draft.revision);
    const settings = base ? merged(base, typed, settingsOf(this.saved)) : typed;
    if (changedPaths(settingsOf(this.saved), settings).length === 0) return;
    this.resumedFrom = draft.saved_at;
    this.#become(settings);
  }

  /** Resolves when no save is under way. */
  async untilSaved(): Promise<void> {
    await this.#saving;
  }

  /** Whether the form is being saved. */
  get isSaving(): boolean {
    return this.#saving !== null;
  }

  /**
   * Saves the form. Resolves with whether it is saved; if not, `failure`, `refused` or `theirs` says why. During a save this is that save,
   * and another one for what was typed since.
   */
  async save(): Promise<boolean> {
    if (this.#saving) return (await this.#saving) && (this.changes.length === 0 || (await this.save()));
    if (this.faults.size > 0) return false;
    this.#saving = this.#save();
    this.#changed();
    try {
      return await this.#saving;
    } finally {
      this.#saving = null;
      this.#changed();
    }
  }

  async #save(): Promise<boolean> {
    const sent = this.settings;
    this.failure = null;
    try {
      const saved = await this.#server.save(sent, this.#revision);
      this.#adopt(saved, sent);
      return true;
    } catch (error) {
      this.#refuse(error);
      return false;
    }
  }

  /** Forgets what was typed. Can be taken back by putting `settings` back. */
  discard(): void {
    this.put(settingsOf(this.saved));
  }

  /** Replaces the whole form. */
  put(settings: ContextSettings): void {
    this.resumedFrom = null;
    this.refused = new Map();
    this.failure = null;
    this.#become(settings);
  }

  /** After a conflict: what they saved, without my changes. */
  takeTheirs(): void {
    if (this.theirs) this.showSaved(this.theirs);
  }

  /** After a conflict: my changes on top of what they saved. */
  keepMine(): void {
    if (!this.theirs) return;
    const settings = merged(settingsOf(this.saved), this.settings, settingsOf(this.theirs));
    this.saved = this.theirs;
    this.theirs = null;
    this.put(settings);
  }

  /** The server has other settings now, for instance a restored version. */
  showSaved(saved: EmbedContextAnswer): void {
    this.saved = saved;
    this.theirs = null;
    this.put(settingsOf(saved));
  }

  /** Ends the waiting for a draft to be kept. */
  stop(): void {
    if (this.#timer !== undefined) void this.#keepDraft();
  }

  get #revision(): number {
    return this.saved.revision ?? 1;
  }

  /** What was typed while the server saved stays. */
  #adopt(saved: EmbedContextAnswer, sent: ContextSettings): void {
    this.saved = saved;
    this.resumedFrom = null;
    this.refused = new Map();
    this.#become(merged(sent, this.settings, settingsOf(saved)));
  }

  #refuse(error: unknown): void {
    this.failure = error;
    if (!(error instanceof ApiError)) return;
    this.refused = new Map(Object.entries(error.fields));
    if (error.code !== "conflict") return;
    const current = contextIn(error.body);
    if (current) {
      this.theirs = current;
      this.failure = null;
    }
  }

  #become(settings: ContextSettings): void {
    this.settings = settings;
    this.faults = faultsOf(settings);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keepDraft(), draftDelayMs);
    this.#changed();
  }

  /** A draft that cannot be kept now is kept with the next change. */
  async #keepDraft(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await (this.changes.length === 0
        ? this.#server.dropDraft()
        : this.#server.keepDraft(this.settings, this.#revision));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

function contextIn(body: unknown): EmbedContextAnswer | null {
  const parsed = contextConflictSchema.safeParse(body);
  return parsed.success ? parsed.data.current : null;
}
