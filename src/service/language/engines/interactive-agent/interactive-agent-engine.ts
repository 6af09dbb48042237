import type { LanguageEngine } from "../../language-engine.ts";
import { allowInEntry, checkOutboundAddress } from "../../../outbound-check.ts";
import { createInteractiveAgent } from "./interactive-agent.ts";
import {
  interactiveAgentSettingsSchema,
  type InteractiveAgentSettings,
} from "./interactive-agent-settings.ts";

/** An agent server of the operator or a tenant. It answers turns instead of a prompt and a language model. */
export const interactiveAgentEngine: LanguageEngine<InteractiveAgentSettings> = {
  kind: "interactive-agent",
  settingsSchema: interactiveAgentSettingsSchema,
  check({ settings: { url, allow_private } }, { allowPrivateAddresses }) {
    const isTrusted = allow_private || allowPrivateAddresses;
    checkOutboundAddress({ field: "engine.url", address: url, isTrusted, remedy: allowInEntry });
    return [];
  },
  create: ({ body, settings }, context) => createInteractiveAgent(body.name, settings, context),
};
