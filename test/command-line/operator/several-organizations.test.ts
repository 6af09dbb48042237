import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder, type RunningService } from "../../service/service-fixture.ts";
import { commandLine, runServiceOn } from "./operator-fixture.ts";

let run: RunningService;
let visavis: ReturnType<typeof commandLine>;
/** A second organization with its own key. */
let bakery: { id: string; key: string };

beforeEach(async () => {
  const folder = temporaryFolder();
  run = await runServiceOn(folder, { startMs: Date.now() });
  visavis = commandLine(folder);
  const { printed: id } = await visavis(["organization", "create", "--name", "Bakery"]);
  const { printed: key } = await visavis(["key", "create", "--organization", id]);
  bakery = { id, key };
});

/** A request with the bakery's key. */
function asBakery(path: string, body?: unknown): Promise<Response> {
  return run.request(path, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "ServicePlatform-APIKey": bakery.key, "Content-Type": "application/json" },
  });
}

const speech = { capability: ["TTS"], tts_type: "visavis-slt" };

async function bakerySession(fields: object = speech): Promise<{ status: number; id: string }> {
  const response = await asBakery("/api/v1/session/", fields);
  const { session_id: id = "" } = (await response.json()) as { session_id?: string };
  return { status: response.status, id };
}

const inBakery = (...words: string[]) => visavis([...words, "--organization", bakery.id]);

describe("visavis organization", () => {
  test("new ones are listed after the first, and a name cannot be used twice", async () => {
    const lines = (await visavis(["organization", "list"])).printed.split("\n");
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["id", "name"],
      [run.organizationId, "Visavis"],
      [bakery.id, "Bakery"],
    ]);
    expect((await visavis(["organization", "create", "--name", " Bakery "])).failure).toMatch(/already/);
    for (const name of ["", " ", "a\nb", "x".repeat(201)])
      expect((await visavis(["organization", "create", "--name", name])).failure).toMatch(/^--name: /);
    expect((await visavis(["organization", "list"])).printed.split("\n")).toHaveLength(3);
  });

  test("a command names its organization by id or name when there are several", async () => {
    for (const words of [
      ["key", "list"],
      ["context", "list"],
      ["session", "list"],
      ["prompt", "list"],
      ["organization", "show"],
      ["organization", "set-quotas", "--credits", "1"],
    ])
      expect((await visavis(words)).failure).toMatch(
        new RegExp(`^There are 2 organizations; name one with --organization <id>:[^]*${bakery.id}  Bakery`),
      );
    const named = await visavis(["organization", "show", "--organization", "Bakery"]);
    expect(JSON.parse(named.printed)).toMatchObject({ id: bakery.id, name: "Bakery" });
    expect((await visavis(["key", "list", "--organization", "Butcher"])).failure).toMatch(
      /^There is no organization "Butcher"; "visavis organization list"/,
    );
  });
});

test("a key gives access to its own organization only, and is revoked only there", async () => {
  expect((await inBakery("key", "list")).printed.split("\n")).toHaveLength(2);
  const first = (await visavis(["key", "list", "--organization", "Visavis"])).printed;
  expect(first).toContain("First key");
  const id = /^(\S+) {2}First key/m.exec(first)![1]!;
  expect((await inBakery("key", "revoke", id)).failure).toMatch(/^There is no key/);
  expect((await run.get("/api/v1/prompt/")).status).toBe(200);
  expect(await (await asBakery("/api/console/b2c/contexts/")).json()).toEqual([]);
  expect(await (await run.get("/api/console/b2c/contexts/")).json()).toHaveLength(4);
});

test("each organization has its own quotas", async () => {
  expect((await inBakery("organization", "set-quotas", "--active-sessions", "1")).failure).toBeNull();
  expect((await bakerySession()).status).toBe(201);
  expect((await bakerySession()).status).toBe(403);
  for (let count = 0; count < 3; count++) expect(await run.newSession()).toMatch(/^[0-9a-f]{40}$/);
  const used = async (organization: string) =>
    JSON.parse((await visavis(["organization", "show", "--organization", organization])).printed) as unknown;
  expect(await used("Bakery")).toMatchObject({ quotas: { activeSessions: 1 }, used: { activeSessions: 1 } });
  expect(await used("Visavis")).toMatchObject({
    quotas: { activeSessions: 200 },
    used: { activeSessions: 3 },
  });
});

test("neither the key nor the operator of an organization can access another one's sessions", async () => {
  const { id } = await bakerySession();
  const ours = await run.newSession();
  for (const [path, body] of [
    [`/api/v1/session/${ours}/`, undefined],
    [`/api/v1/session/${ours}/event/create/`, { event: "SESSION_END" }],
    [`/api/v1/session/${ours}/tts/`, { text: "Hello" }],
  ] as const) {
    const response = await asBakery(path, body);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [{ code: "permission_denied" }] });
  }
  expect((await run.get(`/api/v1/session/${id}/`)).status).toBe(403);
  expect((await asBakery(`/api/v1/session/${id}/`)).status).toBe(200);
  expect((await inBakery("session", "list")).printed).toContain(id);
  expect((await inBakery("session", "list")).printed).not.toContain(ours);
  expect((await inBakery("session", "end", ours)).failure).toMatch(/^There is no session/);
  expect((await run.status(ours)).status).toBe("CREATED");
  expect((await inBakery("session", "end", id)).failure).toBeNull();
});

test("contexts, documents and prompts of one organization do not exist for the other", async () => {
  expect((await asBakery(`/api/console/b2c/contexts/${run.demo.id}/`)).status).toBe(404);
  const document = await visavis(["document", "add", "--organization", "Visavis"], "Twelve rooms.");
  expect((await run.get(`/api/v1/document/${document.printed}/file/`)).status).toBe(200);
  expect((await asBakery(`/api/v1/document/${document.printed}/file/`)).status).toBe(404);
  const guide = { name: "Guide", system_prompt: "You guide." };
  const prompt = await visavis(["prompt", "put", "--organization", "Visavis"], guide);
  const asked = { capability: ["LLM"], llm_type: "visavis-retrieval" };
  for (const identifier of [prompt.printed, "Guide", run.demo.id])
    expect((await bakerySession({ ...asked, prompt: identifier })).status).toBe(400);
  const { printed } = await visavis(["context", "create", "--organization", bakery.id], {
    name: "Bread",
    tts_type: "visavis-slt",
    model_style: "mina",
  });
  const { id, context_id } = JSON.parse(printed) as { id: string; context_id: string };
  expect((await asBakery(`/api/console/b2c/contexts/${id}/`)).status).toBe(200);
  expect((await run.get(`/api/console/b2c/contexts/${id}/`)).status).toBe(404);
  expect((await visavis(["context", "delete", context_id, "--organization", "Visavis"])).failure).toMatch(
    /^There is no context/,
  );
});

test("both organizations may have an entry of the same name, each with its own engine", async () => {
  const put = (organization: string, host: string) =>
    visavis(["llm-type", "put", "--no-try", "--organization", organization], {
      name: "own-model",
      service: "onpremise",
      engine: { base_url: `https://${host}.example/v1`, model: "m", api_key: `${host}-key` },
    });
  expect((await put("Visavis", "shop")).failure).toBeNull();
  expect((await put("Bakery", "bread")).failure).toBeNull();
  const shown = (await inBakery("llm-type", "show", "own-model")).printed;
  expect(JSON.parse(shown)).toMatchObject({ engine: { api_key: "bread-key" } });
  expect((await inBakery("llm-type", "delete", "own-model")).failure).toBeNull();
  const ours = await visavis(["llm-type", "show", "own-model", "--organization", "Visavis"]);
  expect(JSON.parse(ours.printed)).toMatchObject({ engine: { api_key: "shop-key" } });
});

describe("an entry that all organizations share", () => {
  const names = async (organization: string) =>
    (await visavis(["model-style", "list", "--organization", organization])).printed;

  test("is changed and removed only with the option for it", async () => {
    const { printed: mina } = await inBakery("model-style", "show", "mina");
    const changed = { ...(JSON.parse(mina) as object), style: "autumn" };
    expect((await visavis(["model-style", "put", "--organization", "Bakery"], changed)).failure).toBe(
      'The model_style "mina" is shared by all organizations; add --shared to change it for all of them.',
    );
    expect((await inBakery("model-style", "delete", "mina")).failure).toMatch(/add --shared/);
    expect((await visavis(["model-style", "put", "--shared"], changed)).failure).toBeNull();
    expect((await inBakery("model-style", "show", "mina")).printed).toContain("autumn");
    expect((await visavis(["model-style", "delete", "mina", "--shared"])).failure).toBeNull();
    for (const organization of ["Visavis", "Bakery"]) expect(await names(organization)).not.toContain("mina");
  });

  test("is hidden by an organization's own entry of the same id, with a warning", async () => {
    const picture = (name: string, file: string) => ({ name, file: `/characters/mina${file}` });
    const files = [
      picture("character", ".json"),
      picture("poster", "-poster.webp"),
      picture("porthole", "-porthole.webp"),
    ];
    const own = { name: "robot", model: "bread", files };
    expect((await visavis(["model-style", "put", "--organization", "Bakery"], own)).failure).toBeNull();
    const shared = { name: "robot", model: "all", files };
    const { noted } = await visavis(["model-style", "put", "--shared", "--organization", "Bakery"], shared);
    expect(noted).toBe('Bakery has a model_style "robot" of its own, which goes before this one.');
    expect((await inBakery("model-style", "show", "robot")).printed).toContain('"model": "bread"');
    expect(await names("Bakery")).toMatch(/^robot +robot +Bakery$/m);
    expect(await names("Visavis")).toMatch(/^robot +robot +everybody$/m);
    const styles = (await (await asBakery("/api/v1/settings/modelstyle/")).json()) as { name: string }[];
    expect(styles.filter(({ name }) => name === "robot")).toHaveLength(1);
  });
});
