import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { catalogueTable } from "../../../src/service/administration/catalogue/catalogue-table.ts";
import { canBeTried } from "../../../src/service/administration/trials/entry-trial.ts";
import { readDocument } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { sampleDocx, samplePdf } from "../../service/administration/knowledge/office-files.ts";
import { bundleEntry } from "../../service/bundle-entry.ts";
import { temporaryFolder, type RunningService } from "../../service/service-fixture.ts";
import { commandLine, keepServiceOnFolder, runServiceOn } from "./operator-fixture.ts";

let folder: string;
let run: RunningService;
let visavis: ReturnType<typeof commandLine>;

async function listed(path: string): Promise<Record<string, unknown>[]> {
  return (await (await run.get(path)).json()) as Record<string, unknown>[];
}

const ownServer = { base_url: "https://models.example/v1", model: "m" };

/** The required fields of each kind, and one field of it to break. */
const least: Record<keyof typeof catalogueTable, [entry: Record<string, unknown>, broken: string]> = {
  prompt: [{ name: "Guide", system_prompt: "You guide." }, "system_prompt"],
  document: [{ title: "Handbook", engine: { file: "document-1.txt" } }, "title"],
  llm_type: [{ name: "own-model", service: "onpremise", engine: ownServer }, "service"],
  tts_type: [{ name: "own-voice", service: "onpremise", engine: ownServer }, "name"],
  stt_type: [{ name: "own-ears", service: "onpremise", engine: ownServer }, "service"],
  model_style: [
    { name: "robot", model: "robot", files: [{ name: "character", file: "/characters/mina.json" }] },
    "model",
  ],
  background_image: [{ title: "Sea", image: "/backgrounds/sea.webp" }, "image"],
  text_normalization_config: [{ name: "Numbers", engine: { rules: [] } }, "name"],
  agent_config: [{ name: "Agent" }, "name"],
  interactive_agent_config: [
    { name: "Outside", engine: { url: "https://agent.example/turns", auth_header: "Bearer secret" } },
    "name",
  ],
  mcp_server: [
    {
      name: "tools",
      url: "https://tools.example/mcp",
      transport_protocol: "streamable_http",
      engine: { allow_private: true },
    },
    "transport_protocol",
  ],
  session_template: [{ name: "Reception", llm_type: "visavis-retrieval" }, "llm_type"],
  voice: [{ name: "Nora", engine: { tts_type: "visavis-slt" } }, "name"],
};

/** The words that put an entry without calling what it names, which does not exist here. */
function putting(command: string): string[] {
  const kind = command.replaceAll("-", "_") as keyof typeof least;
  return [command, "put", ...(canBeTried(kind) ? ["--no-try"] : [])];
}

describe("on one service", () => {
  let end: () => Promise<void>;

  beforeAll(async () => {
    ({ folder, run, end } = await keepServiceOnFolder());
    visavis = commandLine(folder);
  });
  afterAll(() => end());

  describe.each(Object.entries(least))("visavis %s", (kind, [entry, broken]) => {
    const command = kind.replaceAll("_", "-");
    const { id: idField, name: nameField } = catalogueTable[kind as keyof typeof catalogueTable];

    test("put, list, show and delete work while the service runs", async () => {
      const put = await visavis(putting(command), entry);
      expect(put.failure).toBeNull();
      const id = put.printed;
      const name = (entry["name"] ?? entry["title"]) as string;
      expect((await visavis([command, "list"])).printed).toContain(name);
      const { printed: shown } = await visavis([command, "show", name]);
      expect(JSON.parse(shown)).toMatchObject({ ...entry, [idField]: id });
      const row = await run.store.catalogue.row(kind as "prompt", run.organizationId, id);
      const { engine = null, ...body } = entry;
      expect(row).toMatchObject({ id, name, body, engine });
      expect(row!.body).not.toHaveProperty("engine");
      // The output of show can be put again, and then replaces the entry.
      expect((await visavis(putting(command), shown)).printed).toBe(id);
      expect(JSON.parse((await visavis([command, "show", id])).printed)).toEqual(JSON.parse(shown));
      expect((await visavis([command, "delete", id])).failure).toBeNull();
      expect(await run.store.catalogue.find(kind as "prompt", run.organizationId, id)).toBeNull();
      expect((await visavis([command, "show", id])).failure).toBe(
        `There is no ${kind} "${id}"; "visavis ${command} list" shows those that there are.`,
      );
    });

    test("a wrong field is named, and nothing is stored", async () => {
      const before = (await visavis([command, "list"])).printed;
      const failure = async (fields: object) =>
        (await visavis(putting(command), { ...entry, ...fields })).failure;
      expect(await failure({ [broken]: 7 })).toMatch(new RegExp(`^${broken}: `));
      expect(await failure({ colour: "red", engine: "fast" })).toMatch(
        /^colour: There is no such field\.\nengine: /,
      );
      expect(await failure({ engine: { sped: 1 } })).toMatch(
        /^engine(: .* has no engine settings|\.sped: There is no such field)/m,
      );
      for (const field of [idField, nameField])
        expect(await failure({ [field]: " " })).toMatch(new RegExp(`^${field}: `));
      expect((await visavis([command, "list"])).printed).toBe(before);
    });
  });

  const hundred = "n".repeat(100);

  test.each([
    ["tts-type", { ...least.tts_type[0], name: hundred }, { name: `${hundred}n` }, "name"],
    ["tts-type", { ...least.tts_type[0], name: "own_voice-1" }, { name: "own voice" }, "name"],
    ["model-style", { ...least.model_style[0], name: hundred }, { name: `${hundred}n` }, "name"],
    ["session-template", { name: "n".repeat(255) }, { name: "n".repeat(256) }, "name"],
    ["session-template", { name: "t", agent: "a".repeat(255) }, { agent: "a".repeat(256) }, "agent"],
    ["session-template", { name: "t", capability: ["TTS"] }, { capability: [] }, "capability"],
    ["session-template", { name: "t", padding_left: -1 }, { padding_left: -1.1 }, "padding_left"],
    ["session-template", { name: "t", padding_top: 1 }, { padding_top: 1.1 }, "padding_top"],
    ["session-template", { name: "t", padding_height: 5 }, { padding_height: 5.1 }, "padding_height"],
    [
      "session-template",
      { name: "t", text_normalization_locale: "x".repeat(10) },
      { text_normalization_locale: "x".repeat(11) },
      "text_normalization_locale",
    ],
  ])("%s %j is as far as it goes", async (command, entry, beyond, field) => {
    expect((await visavis(putting(command), entry)).failure).toBeNull();
    expect((await visavis(putting(command), { ...entry, ...beyond })).failure).toMatch(
      new RegExp(`^${field}: `),
    );
  });
});

describe("on a new service", () => {
  beforeEach(async () => {
    folder = temporaryFolder();
    run = await runServiceOn(folder);
    visavis = commandLine(folder);
  });

  test("the running service returns the new entry without the engine's settings", async () => {
    const engine = { ...ownServer, api_key: "secret-word" };
    await visavis(["llm-type", "put", "--no-try"], { name: "own-model", service: "onpremise", engine });
    expect(await listed("/api/v1/settings/llm_type/")).toContainEqual({
      name: "own-model",
      service: "onpremise",
    });
    await visavis(["prompt", "put"], { name: "Guide", system_prompt: "You guide." });
    const [starter, first] = await listed("/api/v1/prompt/");
    await visavis(["prompt", "put"], { name: "Guide", system_prompt: "You guide well." });
    expect(await listed("/api/v1/prompt/")).toEqual([
      starter,
      { ...first, system_prompt: "You guide well." },
    ]);
  });

  test("entries that all organizations share can be removed too", async () => {
    expect((await visavis(["model-style", "delete", "ingrid"])).failure).toBeNull();
    const names = (await listed("/api/v1/settings/modelstyle/")).map(({ name }) => name);
    expect(names).toEqual(["mina", "tomas", "amara"]);
  });

  test("an agent's id begins as the interface specifies", async () => {
    const { printed } = await visavis(["interactive-agent-config", "put", "--no-try"], {
      name: "Outside",
      engine: { url: "https://agent.example/turns" },
    });
    expect(printed).toMatch(/^pliac-/);
    const wrong = { name: "Other", interactiveagentconfig_id: "agent-1" };
    expect((await visavis(["interactive-agent-config", "put", "--no-try"], wrong)).failure).toMatch(
      /^interactiveagentconfig_id: /,
    );
  });

  test("a document is added from its text, and sessions then answer from it", async () => {
    const text = "The Alder hotel has twelve rooms.";
    const { printed: id } = await visavis(["document", "add", "--title", "Hotel"], text);
    expect(await listed("/api/v1/document/")).toMatchObject([
      { document_id: "visavis-guide" },
      { document_id: id, title: "Hotel" },
    ]);
    expect(
      await readDocument(
        { store: run.store, files: openFolderFiles(join(folder, "files")) },
        run.organizationId,
        "Hotel",
      ),
    ).toMatchObject({ id, title: "Hotel", text });
    expect((await visavis(["document", "add", "-"], text)).failure).toBeNull();
    expect((await visavis(["document", "list"])).printed).toMatch(/ {2}Document {2}/);
    expect((await visavis(["document", "add"], " ")).failure).toBe("There are no words in the file.");
    expect((await visavis(["document", "add"], Buffer.from("P\0N\0G"))).failure).toMatch(
      /^The file is not text/,
    );
    expect((await visavis(["document", "add", "missing.md"])).failure).toMatch(/^missing.md cannot be read/);
  });

  test("a document is added from the files that the console reads", async () => {
    const worker = await bundleEntry("src/service/administration/knowledge/reading/reading-worker.ts");
    onTestFinished(() => worker.remove());
    const reading = commandLine(folder, {}, { "reading-worker": worker.url });
    const textOf = async (file: Uint8Array): Promise<string | undefined> => {
      const { printed: id, failure } = await reading(["document", "add"], file);
      if (failure !== null) throw new Error(failure);
      const files = openFolderFiles(join(folder, "files"));
      return (await readDocument({ store: run.store, files }, run.organizationId, id))?.text;
    };
    expect(await textOf(sampleDocx(["# Rooms", "There are twelve."]))).toBe("# Rooms\n\nThere are twelve.");
    expect(await textOf(samplePdf([[{ text: "There are twelve.", y: 700 }]]))).toBe("There are twelve.");
    expect(await textOf(Buffer.from("Zw\xf6lf Zimmer.", "latin1"))).toBe("Zwölf Zimmer.");
    await expect(textOf(Buffer.from("%PDF-1.7 and nothing else"))).rejects.toThrow("damaged");
  });

  test("a rule that cannot run is refused with its position, and a valid one runs", async () => {
    const put = (pattern: string) =>
      visavis(["text-normalization-config", "put"], {
        name: "Rooms",
        engine: { rules: [{ order: 1, pattern, replacement: "room $1" }] },
      });
    expect((await put("rm (")).failure).toMatch(/^engine\.rules\.0\.pattern: /);
    const { printed: id } = await put("rm (\\d+)");
    const path = `/api/v1/settings/text_normalization_config/${id}/normalize/`;
    const answer = await run.send("POST", path, { text: "in rm 7" });
    expect(await answer.json()).toEqual({ normalized_text: "in room 7" });
  });

  test("input that is not a JSON object is refused", async () => {
    expect((await visavis(["prompt", "put"], "{")).failure).toMatch(
      /^The standard input does not contain JSON: /,
    );
    expect((await visavis(["prompt", "put"], Buffer.from([0x22, 0xff, 0x22]))).failure).toBe(
      "The standard input does not contain JSON: it is not UTF-8 text.",
    );
    const marked = `\u{feff}${JSON.stringify({ name: "Guide", system_prompt: "You guide." })}`;
    expect((await visavis(["prompt", "put"], marked)).failure).toBeNull();
    expect((await visavis(["prompt", "put"], "[]")).failure).toBe(
      "The standard input does not contain a JSON object.",
    );
    expect((await visavis(["prompt", "put", "missing.json"])).failure).toBe(
      "missing.json cannot be read: no such file",
    );
  });
});
