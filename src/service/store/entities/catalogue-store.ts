import type {
  AgentConfig,
  BackgroundImage,
  InteractiveAgentConfig,
  KnowledgeDocument,
  LlmType,
  McpServer,
  ModelStyle,
  Prompt,
  SttType,
  TextNormalizationConfig,
  TtsType,
} from "../../../protocol/catalogue.ts";
import type { SessionTemplateRecord } from "../../../protocol/session/session-template.ts";
import type { Voice } from "../../../protocol/speech/voice.ts";
import type { Page, PageRequest } from "../database/paging.ts";

/**
 * The catalogue entries that a session can refer to, by kind. Addresses of files that this server serves are stored as paths
 * (`/…`) and become URLs in answers.
 */
export interface CatalogueKinds {
  prompt: Prompt;
  document: KnowledgeDocument;
  llm_type: LlmType;
  tts_type: TtsType;
  stt_type: SttType;
  model_style: ModelStyle;
  background_image: BackgroundImage;
  text_normalization_config: TextNormalizationConfig;
  agent_config: AgentConfig;
  interactive_agent_config: InteractiveAgentConfig;
  mcp_server: McpServer;
  session_template: SessionTemplateRecord;
  voice: Voice;
}

export type CatalogueKind = keyof CatalogueKinds;

/** How to reach the engine of an operator's entry: address, model, where its key is. Never part of an answer. */
export type EngineSettings = Readonly<Record<string, unknown>>;

/** A catalogue entry as engines see it: the public body and the private settings. */
export interface CatalogueRow<Kind extends CatalogueKind> {
  id: string;
  name: string;
  body: CatalogueKinds[Kind];
  engine: EngineSettings | null;
  /** Whether it is shared by all organizations, or belongs to the first one, which runs the service. */
  isOperators: boolean;
}

/** A stored catalogue entry. */
export interface KeptRow<Kind extends CatalogueKind> extends CatalogueRow<Kind> {
  /** Whether every organization has it. */
  isShared: boolean;
  /** Counts the changes. */
  revision: number;
}

/** A catalogue entry to store. If `organizationId` is null, every organization has it. `id` and `name` both identify it. */
export interface CatalogueEntry<Kind extends CatalogueKind> extends Omit<
  CatalogueRow<Kind>,
  "engine" | "isOperators"
> {
  kind: Kind;
  organizationId: string | null;
  createdAtMs: number;
  /** Default: none. */
  engine?: EngineSettings | null;
}

/**
 * Catalogue entries. An entry belongs to one organization or is shared by all. An organization sees its own entries and the
 * shared ones; its own entry hides the shared one with the same id. With an `organizationId` of null, only shared entries
 * are visible.
 */
export interface CatalogueStore {
  /**
   * Adds the entry, or replaces the entry of the same owner, kind and id. With a `revision`, only the entry of that revision is replaced,
   * and with 0 only a new one is added. Resolves with whether it is stored.
   */
  put<Kind extends CatalogueKind>(entry: CatalogueEntry<Kind>, revision?: number): Promise<boolean>;
  /**
   * Adds each entry once in the life of the store. Entries that were changed or removed since stay so, and an existing entry
   * of the same owner, kind and id is not replaced.
   */
  addBuiltIn(entries: readonly CatalogueEntry<CatalogueKind>[]): Promise<void>;
  /** The visible entry with this id or, if there is none, with this name. */
  find<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    identifier: string,
  ): Promise<CatalogueKinds[Kind] | null>;
  /** The same with its engine settings. */
  row<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    identifier: string,
  ): Promise<KeptRow<Kind> | null>;
  /** In the order in which they were added. */
  list<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
  ): Promise<CatalogueKinds[Kind][]>;
  /** The same with their engine settings. */
  rows<Kind extends CatalogueKind>(kind: Kind, organizationId: string | null): Promise<KeptRow<Kind>[]>;
  /** A part of `rows`. */
  page<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    request: PageRequest,
  ): Promise<Page<KeptRow<Kind>>>;
  /**
   * Changes the body of a visible entry without losing concurrent changes: `change` may be called again with a newer body.
   * Resolves with whether there is such an entry.
   */
  revise<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    id: string,
    change: (body: CatalogueKinds[Kind]) => CatalogueKinds[Kind],
  ): Promise<boolean>;
  /** Removes the owner's entry with that id. Resolves with whether there was one. */
  remove(kind: CatalogueKind, organizationId: string | null, id: string): Promise<boolean>;
}
