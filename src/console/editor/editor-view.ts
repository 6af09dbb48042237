import type { KnowledgeDocument, LlmType, McpServer, Prompt, SttType } from "../../protocol/catalogue.ts";
import type { ContextPages } from "../../protocol/console/avatars.ts";
import type { FormResources } from "../../protocol/console/form-resources.ts";
import type { EmbedSnippet } from "../../protocol/settings/embed-context.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import type { EditorState } from "./editor-state.ts";
import { faultAt, type Fault } from "./fields/form-fields.ts";

/** What an avatar can consist of, as the server has it. */
export interface EditorResources extends FormResources {
  readonly llm_types: readonly LlmType[];
  readonly stt_types: readonly SttType[];
  readonly prompts: readonly Prompt[];
  readonly documents: readonly KnowledgeDocument[];
  readonly mcp_servers: readonly McpServer[];
  readonly snippet: EmbedSnippet;
}

/** What the parts of the editor are drawn from, and what they call. */
export interface EditorView {
  readonly state: EditorState;
  readonly services: Services;
  readonly resources: EditorResources;
  /** Null: not known yet. */
  readonly pages: ContextPages | null;
  /** Whether the role may change something. */
  readonly mayEdit: boolean;
  /** The name that visitors read. */
  readonly name: string;
  /** Draws the editor again. */
  update(): void;
  /** Reads what the avatar can consist of again. */
  reload(): Promise<void>;
}

/** The id of a field's control. */
export const fieldId = (path: string): string => `field-${path.replaceAll(".", "-")}`;

function wordsOf(fault: Fault): string {
  const { faults } = texts.editor;
  return "limit" in fault ? faults[fault.code](fault.limit) : faults[fault.code];
}

/** What is wrong with a field: what the form knows, else what the server said of what was sent, or of what is saved. */
export function faultText({ state }: EditorView, path: string): string | undefined {
  const fault = faultAt(state.faults, path);
  return fault ? wordsOf(fault) : (faultAt(state.refused, path) ?? faultAt(state.warnings, path));
}

/** Texts of a list in the settings; empty where there is none. */
export function textsAt({ state }: EditorView, path: string): string[] {
  const value = state.value(path);
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

/** The text of a setting; empty where there is none. */
export function textAt({ state }: EditorView, path: string): string {
  const value = state.value(path);
  return typeof value === "string" ? value : "";
}

/** Sets a list; an empty one is removed. */
export function setTexts({ state }: EditorView, path: string, entries: readonly string[]): void {
  state.set(path, entries.length === 0 ? undefined : entries);
}
