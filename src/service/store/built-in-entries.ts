import type { ModelStyle } from "../../protocol/catalogue.ts";
import { englishRules } from "../normalization/english-rules.ts";
import { koreanRules } from "../normalization/korean-rules.ts";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-kinds.ts";
import { starterDocument, starterPrompt, starterRecognizer, starterTemplate } from "./starter-entries.ts";
import type { CatalogueEntry, EngineSettings } from "./store.ts";

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
