/** What a language model has used in a day, for one context and price. */
export interface ModelUse {
  organizationId: string;
  /** Null: sessions without a context. */
  contextUuid: string | null;
  /** When the day began in the server's time zone. */
  dayMs: number;
  /** The id of the LLM type. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** In millionths of the currency; 0 where the model has no price. */
  costMicros: number;
  /** ISO 4217; empty where the model has no price. */
  currency: string;
}

/** Whose use is meant: all of an organization, or that of one context. */
export interface ModelUseScope {
  organizationId: string;
  contextUuid?: string | undefined;
}

/** What language models have used, by day. */
export interface ModelUseStore {
  /** Adds to the use of a day. */
  add(use: ModelUse): Promise<void>;
  /** The use since the beginning of a day, added up by model and currency. */
  since(
    scope: ModelUseScope,
    dayMs: number,
  ): Promise<Omit<ModelUse, "organizationId" | "contextUuid" | "dayMs">[]>;
}
