import type { KnowledgeDocument, ModelStyle, Prompt } from "../../../protocol/catalogue.ts";
import type { SessionTemplateRecord } from "../../../protocol/session/session-template.ts";
import { defaultPaddings } from "../../../protocol/settings/stage-settings.ts";
import { englishRules } from "../../normalization/english-rules.ts";
import { koreanRules } from "../../normalization/korean-rules.ts";
import type {
  CatalogueEntry,
  CatalogueKind,
  CatalogueKinds,
  EngineSettings,
} from "../entities/catalogue-store.ts";

/** The text of the first document: short self-contained sentences, because they are quoted one by one. */
const guideText = `
Visavis is a talking avatar for web pages.
Visavis answers visitors by voice and by text.
Visavis runs on your own machine and needs no account anywhere.

Putting the avatar on a page
One line of HTML puts the avatar on a page: a script tag with the address of embed.js and the context's id.
The snippet of a context comes from the embed operation of the console interface, ready to paste.
The avatar can also stand in an iframe, which the same operation answers.

Knowledge
The avatar answers from documents, and a language model also follows its instructions.
A document is plain text or Markdown, and the command "visavis document add" adds one.
Without a language model server the avatar quotes the passages that fit the question best.
A language model server is set up with the command "visavis llm-type put".

Voices and languages
The built-in voices speak English.
Other voices come from eSpeak NG, sherpa-onnx or any server that speaks the OpenAI protocol.
Speech is recognized by the visitor's browser, or on the server by an engine of your own.
`.trim();

/** The name of a recognizer that can be installed on Debian with one command. */
const recognizerName = "pocketsphinx";

/** The private settings of that recognizer. The entry is available if the program is installed. */
export const starterRecognizer = {
  id: recognizerName,
  body: { name: recognizerName, service: "onpremise" as const, options: null },
  engine: {
    type: "command",
    command: ["pocketsphinx_continuous", "-infile", "{wav}", "-logfn", "/dev/null"],
    locale: "en-US",
  },
};

/** A prompt for any document. */
const starterPrompt: Prompt = {
  prompt_id: "visavis-assistant",
  name: "Assistant",
  system_prompt:
    "You are a friendly assistant who talks with visitors of a website. Answer in one to three short sentences. " +
    "Use what your documents say, and say so when they do not tell.",
  description: "A short-spoken assistant; begin with a copy of it",
  require_document: false,
  intro_message: "Hello! What would you like to know?",
};

/** A sample document; `createdAt` in ISO 8601. Its text is part of its private settings. */
function starterDocument(createdAt: string): { body: KnowledgeDocument; engine: { text: string } } {
  const id = "visavis-guide";
  return {
    body: {
      document_id: id,
      title: "About Visavis",
      file: `/api/v1/document/${id}/file/`,
      processed: true,
      processed_v2: true,
      created_at: createdAt,
      updated_at: createdAt,
      description: "What the avatar is and how it comes to a page",
      search_count: 0,
      ef_search: 0,
    },
    engine: { text: guideText },
  };
}

/** What the first template refers to besides the entries above. */
interface TemplateParts {
  createdAt: string;
  languageModel: string;
  voice: string;
  modelStyle: string;
  background: string;
  normalization: string;
}

/** A template of a complete avatar from the entries of a new store. */
function starterTemplate(parts: TemplateParts): SessionTemplateRecord {
  return {
    sessiontemplate_id: "visavis-avatar",
    name: "Avatar",
    description: "An avatar that speaks English and answers from the document",
    created_at: parts.createdAt,
    last_used_at: null,
    // All of them: there are clients that send the type of a model, voice or recognizer only for a capability that is listed.
    capability: ["STF_WEBRTC", "LLM", "TTS", "STT"],
    prompt: starterPrompt.prompt_id,
    document: "visavis-guide",
    llm_type: parts.languageModel,
    tts_type: parts.voice,
    text_normalization_config: parts.normalization,
    text_normalization_locale: "en",
    stt_type: recognizerName,
    stt_text_normalization_config: null,
    stt_text_normalization_locale: null,
    model_style: parts.modelStyle,
    agent: null,
    agent_config: null,
    interactive_agent_config: null,
    background_image: parts.background,
    mcp_servers: [],
    extra_data: null,
    ...defaultPaddings,
  };
}

/** The language model that quotes documents and needs no server. */
export const retrievalModel = "visavis-retrieval";

const characters = [
  ["mina", "Mina"],
  ["tomas", "Tomas"],
  ["amara", "Amara"],
  ["ingrid", "Ingrid"],
] as const;

function modelStyle(name: string, title: string): ModelStyle {
  const character = `/characters/${name}.json`;
  const config = (key: string, value: string) => ({ modelstyleconfig_id: `${name}-${key}`, key, value });
  return {
    name,
    model: name,
    model_files: [{ name: "character", file: character }],
    style: null,
    files: [
      { name: "character", file: character },
      { name: "poster", file: `/characters/${name}-poster.webp` },
      { name: "porthole", file: `/characters/${name}-porthole.webp` },
    ],
    configs: [config("matte", "packed-alpha"), config("title", title)],
    model_file: character,
    file: `/characters/${name}-poster.webp`,
    platform_type: "webrtc",
  };
}

/** Names and descriptions of Flite's voices. */
const fliteVoices = [
  ["slt", "Sally", "Flite, a woman's voice, US English"],
  ["rms", "Ray", "Flite, a man's voice, US English"],
  ["awb", "Alan", "Flite, a man's voice, Scottish English"],
  ["kal", "Kal", "Flite, a machine's voice of 8 kHz, US English"],
  ["kal16", "Kal 16", "Flite, a machine's voice of 16 kHz, US English"],
] as const;

const backgrounds = [
  ["room", "Room"],
  ["calm", "Calm"],
] as const;

const normalizations = [
  ["visavis-english", "English", englishRules],
  ["visavis-korean", "Korean", koreanRules],
] as const;

type Add = <Kind extends CatalogueKind>(
  kind: Kind,
  idAndName: readonly [id: string, name: string],
  body: CatalogueKinds[Kind],
  engine?: EngineSettings | null,
) => void;

/** A configuration of the first entry of every list. */
function addStarters(add: Add, created_at: string): void {
  add("prompt", [starterPrompt.prompt_id, starterPrompt.name], starterPrompt);
  const knowledge = starterDocument(created_at);
  add("document", [knowledge.body.document_id, knowledge.body.title], knowledge.body, knowledge.engine);
  const { id, body, engine } = starterRecognizer;
  add("stt_type", [id, id], body, engine);
  const template = starterTemplate({
    createdAt: created_at,
    languageModel: retrievalModel,
    voice: `visavis-${fliteVoices[0][0]}`,
    modelStyle: characters[0][0],
    background: backgrounds[0][0],
    normalization: normalizations[0][0],
  });
  add("session_template", [template.sessiontemplate_id, template.name], template);
}

/** The catalogue entries that a store gets at its first start, or at the first start of the version that adds them. */
export function builtInEntries(nowMs: number): CatalogueEntry<CatalogueKind>[] {
  const created_at = new Date(nowMs).toISOString();
  const entries: CatalogueEntry<CatalogueKind>[] = [];
  const add: Add = (kind, [id, name], body, engine = null) =>
    void entries.push({ kind, id, name, organizationId: null, createdAtMs: nowMs, body, engine });

  for (const [name, title] of characters) add("model_style", [name, name], modelStyle(name, title));
  for (const [voice, name, description] of fliteVoices) {
    const id = `visavis-${voice}`;
    add("tts_type", [id, id], {
      name: id,
      service: "visavis",
      streamable: true,
      model: "flite",
      voice,
      voice_settings: null,
      style: null,
      voice_extra_data: { language: "en" },
    });
    // The voice in the list of voices. The TTS type with the same id speaks with it.
    add("voice", [id, name], { voice_id: id, name, created_at, description }, { tts_type: id });
  }
  add("llm_type", [retrievalModel, retrievalModel], { name: retrievalModel, service: "visavis" });
  for (const [id, title] of backgrounds)
    add("background_image", [id, title], {
      backgroundimage_id: id,
      title,
      image: `/backgrounds/${id}.webp`,
      created_at,
    });
  for (const [id, name, rules] of normalizations)
    add(
      "text_normalization_config",
      [id, name],
      {
        textnormalizationconfig_id: id,
        name,
        pre_hook_url: null,
        post_hook_url: null,
        created_at,
        hook_enabled: false,
        pre_hook_args: null,
        post_hook_args: null,
      },
      { rules },
    );
  addStarters(add, created_at);
  return entries;
}
