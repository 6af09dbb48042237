import { type ContextSettings, embedContextPutSchema } from "../../../protocol/settings/embed-context.ts";
import { valueAt, withValue } from "../settings-path.ts";

/** The parts of the editor. */
export const tabs = ["look", "voice", "mind", "behaviour", "limits", "embed"] as const;
export type Tab = (typeof tabs)[number];

/** How a field is edited. */
type FieldKind =
  | { readonly kind: "text" }
  | { readonly kind: "area"; readonly rows: number }
  /** One entry a line. */
  | { readonly kind: "lines" }
  /** `key = text`, one a line. */
  | { readonly kind: "pairs" }
  /** `standard`: what holds without the setting. */
  | { readonly kind: "switch"; readonly standard: boolean }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly standard: string }
  /** `scale`: what the shown number is multiplied with. */
  | { readonly kind: "number"; readonly standard: string; readonly scale?: number }
  | { readonly kind: "range"; readonly from: number; readonly to: number; readonly standard: number }
  /** A part of the page with views of its own. */
  | { readonly kind: "own" };

/** A setting of an avatar and where the editor has it. Its words are in the texts, by its path. */
export type Field = FieldKind & { readonly path: string; readonly tab: Tab; readonly section: string };

type Row = readonly [path: string, kind: FieldKind];

const text: FieldKind = { kind: "text" };
const lines: FieldKind = { kind: "lines" };
const own: FieldKind = { kind: "own" };
const area = (rows: number): FieldKind => ({ kind: "area", rows });
const on: FieldKind = { kind: "switch", standard: true };
const off: FieldKind = { kind: "switch", standard: false };
const choice = (standard: string, ...others: string[]): FieldKind => ({
  kind: "choice",
  values: [standard, ...others],
  standard,
});
const number = (standard: string, scale = 1): FieldKind => ({ kind: "number", standard, scale });
const range = (from: number, to: number, standard: number): FieldKind => ({
  kind: "range",
  from,
  to,
  standard,
});

const ui = (key: string): string => `embed_config.ui.${key}`;
const voice = (key: string): string => `embed_config.voice.${key}`;
const limit = (key: string): string => `embed_config.limits.${key}`;

/** Every setting, by the parts of the editor and their sections. A test compares it with the schema. */
const rows: Readonly<Record<Tab, Readonly<Record<string, readonly Row[]>>>> = {
  look: {
    face: [["model_style", own]],
    title: [
      [ui("avatar_name"), text],
      [ui("owner_name"), text],
      ["name", text],
    ],
    background: [
      ["background_image", own],
      ["embed_config.stage.transparent", own],
    ],
    framing: [
      ["embed_config.stage.padding_left", own],
      ["embed_config.stage.padding_top", own],
      ["embed_config.stage.padding_height", own],
    ],
    colour: [[ui("brand_color"), own]],
    page: [
      [ui("variant"), choice("bubble", "inline", "fullscreen", "compact")],
      [ui("placement"), own],
      [ui("theme"), choice("auto", "light", "dark")],
      [ui("radius"), range(0, 48, 32)],
      [ui("font"), text],
      ["embed_config.render", choice("auto", "local", "remote")],
      ["embed_config.stage.matte", text],
    ],
  },
  voice: {
    voice: [["tts_type", own]],
    manner: [
      [voice("rate"), range(0.5, 2, 1)],
      [voice("pitch"), range(0.5, 2, 1)],
    ],
    listening: [
      ["embed_config.stt_type", own],
      [ui("voice_mode"), choice("both", "push-to-talk", "hands-free", "off")],
      [voice("cloud_recognizer"), off],
      [voice("pause_ms"), number("350")],
      [voice("open_pause_ms"), number("2500")],
      [voice("begin_early"), on],
      [ui("languages"), lines],
    ],
    waiting: [
      [voice("filler_texts"), lines],
      [voice("filler_after_ms"), number("1200")],
    ],
  },
  mind: {
    beginning: [
      ["greeting", area(2)],
      [ui("suggestions"), own],
    ],
    rules: [
      ["instructions", area(6)],
      ["embed_config.prompt", own],
    ],
    model: [
      ["embed_config.llm_type", own],
      ["embed_config.expressions", on],
      ["embed_config.attachments", own],
    ],
    knows: [
      ["embed_config.documents", own],
      ["embed_config.document", own],
      ["embed_config.sources", on],
      ["embed_config.time_zone", text],
    ],
    tools: [
      ["embed_config.mcp_servers", own],
      ["embed_config.mcp_tools", lines],
    ],
  },
  behaviour: {
    before: [
      [ui("consent_text"), area(3)],
      [ui("consent_remember"), choice("session", "device")],
      [ui("privacy_url"), text],
      ["embed_config.retention_days", number("0")],
    ],
    during: [
      [ui("captions"), on],
      [ui("text_input"), on],
      [limit("idle_timeout_sec"), number("180")],
      ["embed_config.persist", choice("tab", "off")],
      ["embed_config.prefetch", choice("intent", "idle")],
    ],
    afterwards: [
      [ui("feedback"), on],
      [ui("handover_url"), text],
      [ui("handover_phone"), text],
      [ui("handover_event"), off],
      [ui("handover_message"), own],
      [ui("handover_consent"), area(2)],
      [ui("contact_url"), text],
      ["embed_config.quick_answers", lines],
    ],
    answers: [
      [ui("links_allowed"), lines],
      [ui("images_allowed"), lines],
      [ui("texts"), { kind: "pairs" }],
      ["embed_config.analytics.data_layer", own],
    ],
  },
  limits: {
    origins: [["embed_config.allowed_origins", own]],
    tester: [],
    talking: [
      [limit("minutes_per_day"), number("")],
      ["max_session_sec", number("", 60)],
      [limit("sessions_per_visitor"), number("")],
      [limit("turns_per_day"), number("5000")],
      [limit("characters_per_day"), number("2000000")],
      [limit("model_cost_per_day"), number("")],
      [limit("at_model_limit"), choice("quote", "stop")],
    ],
  },
  embed: { live: [["is_active", on]], snippet: [], where: [], policy: [] },
};

/** All fields. */
export const fields: readonly Field[] = tabs.flatMap((tab) =>
  Object.entries(rows[tab]).flatMap(([section, list]) =>
    list.map(([path, kind]): Field => ({ ...kind, path, tab, section })),
  ),
);

/** The sections of a tab, in their order. */
export const sectionsOf = (tab: Tab): readonly string[] => Object.keys(rows[tab]);

/** The fields of a section. */
export const fieldsOf = (tab: Tab, section: string): readonly Field[] =>
  fields.filter((field) => field.tab === tab && field.section === section);

/** The field that a path belongs to: its own, or of the setting that it is a part of. */
export const fieldAt = (path: string): Field | undefined =>
  fields.find((field) => field.path === path || path.startsWith(`${field.path}.`));

/** The tab that has the setting of a path. */
export const tabOf = (path: string): Tab | undefined => fieldAt(path)?.tab;

/** What is wrong with a value. `limit`: the bound that it breaks. */
export type Fault =
  | { readonly code: "required" | "form" }
  | { readonly code: "too_long" | "too_many" | "at_least" | "at_most"; readonly limit: number };

/** Faults by the dotted path of the value. */
export type Faults = ReadonlyMap<string, Fault>;

/** As zod reports it, in the parts that matter here. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}

function faultOf({ code, origin, minimum, maximum }: Issue): Fault {
  if (code === "too_small" && origin === "string") return { code: "required" };
  if (code === "too_small" && minimum !== undefined) return { code: "at_least", limit: Number(minimum) };
  if (code === "too_big" && maximum !== undefined) {
    const limit = Number(maximum);
    if (origin === "string") return { code: "too_long", limit };
    return { code: origin === "array" ? "too_many" : "at_most", limit };
  }
  return { code: "form" };
}

/** What is wrong with settings, as far as that can be told without the server. */
export function faultsOf(settings: ContextSettings): Faults {
  const parsed = embedContextPutSchema.safeParse(settings);
  if (parsed.success) return new Map();
  // The first fault of a value says enough.
  const found = parsed.error.issues.map((issue): [string, Fault] => [issue.path.join("."), faultOf(issue)]);
  return new Map(found.reverse());
}

/** The fault of a field: of its value, or of an entry of its list. */
export function faultAt<Value>(faults: ReadonlyMap<string, Value>, path: string): Value | undefined {
  const exact = faults.get(path);
  if (exact !== undefined) return exact;
  for (const [at, fault] of faults) if (at.startsWith(`${path}.`)) return fault;
  return undefined;
}

/** The path of the field that a path inside a list belongs to. */
const fieldOf = (path: string): string => path.replace(/\.\d+(?:\..*)?$/, "");

/** Settings that the server accepts: what has a fault is as it was saved. */
export function previewable(
  settings: ContextSettings,
  saved: ContextSettings,
  faults: Iterable<string>,
): ContextSettings {
  let shown = settings;
  for (const path of faults) shown = withValue(shown, fieldOf(path), valueAt(saved, fieldOf(path)));
  return shown;
}
