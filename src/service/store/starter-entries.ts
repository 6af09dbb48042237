import type { KnowledgeDocument, Prompt } from "../../protocol/catalogue.ts";
import type { SessionTemplateRecord } from "../../protocol/session-template.ts";
import { defaultPaddings } from "../../protocol/stage-settings.ts";

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
The avatar answers from its prompt and from documents.
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
export const starterPrompt: Prompt = {
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
export function starterDocument(createdAt: string): { body: KnowledgeDocument; engine: { text: string } } {
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
export function starterTemplate(parts: TemplateParts): SessionTemplateRecord {
  return {
    sessiontemplate_id: "visavis-avatar",
    name: "Avatar",
    description: "An avatar that speaks English and answers from the document",
    created_at: parts.createdAt,
    last_used_at: null,
    capability: ["STF_WEBRTC"],
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
