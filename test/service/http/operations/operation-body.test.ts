import * as z from "zod";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/service/faults/fault.ts";
import type { BodyDescription } from "../../../../src/service/http/operations/operation-body.ts";
import { filled } from "../../answers.ts";
import { answering, byKey, byNobody, detailsOf, namedFields, operationWith } from "./answering.ts";

const path = "/api/v1/things/:thing/";
const address = "/api/v1/things/lamp/";

interface Taken {
  body: unknown;
  files: Map<string, Uint8Array>;
}

/** The app with one operation that answers with the body and the files that it got. */
function takingBody<Output>(body: BodyDescription<Output, typeof path>, auth = "key", identity = byKey) {
  const handler = ({ body: taken, files }: Taken) => ({
    body: taken,
    files: Object.fromEntries([...files].map(([name, { length }]) => [name, length])),
  });
  return answering([operationWith({ path, auth, body, handler })], identity);
}

const form = (fields: Record<string, string | Blob>): RequestInit => ({
  ...{ method: "POST", body: filled(new FormData(), fields) },
});

const file = (bytes: number): Blob => new Blob(["x".repeat(bytes)]);

describe("files of a body", () => {
  const app = takingBody({
    schema: z.object({ name: z.string().optional(), image: z.string().optional() }),
    files: {
      picture: { description: "A picture.", maxBytes: 10, required: true },
      sound: { description: "A sound.", maxBytes: 5 },
    },
  });

  test("are handed over with the fields", async () => {
    const sent = form({ name: "A", picture: file(10), sound: file(5), other: file(99) });
    const { status, body } = await app.request(address, sent);
    const files = { picture: 10, sound: 5, other: 99 };
    expect([status, body]).toEqual([200, { body: { name: "A" }, files }]);
  });

  const picture = file(1);
  const largerThan = (bytes: number) => `The file is larger than ${bytes} bytes.`;
  const missing = "A file is required; use multipart/form-data.";
  const noFile = "The submitted data was not a file; use multipart/form-data.";
  const forText = "A file was sent for this field; send text.";

  test.each<[string, Record<string, string | Blob>, Record<string, string>, string]>([
    ["is missing", {}, { picture: "required" }, missing],
    ["is empty text", { picture: "" }, { picture: "required" }, missing],
    ["is a text", { picture: "cat.png" }, { picture: "invalid" }, noFile],
    ["is too large", { picture: file(11) }, { picture: "max_length" }, largerThan(10)],
    ["is another that is too large", { picture, sound: file(6) }, { sound: "max_length" }, largerThan(5)],
    ["was sent for a text field", { picture, image: picture }, { image: "invalid" }, forText],
  ])("are refused where one %s", async (_, fields, named, detail) => {
    const answer = await app.request(address, form(fields));
    expect([answer.status, namedFields(answer), detailsOf(answer)]).toEqual([400, named, [detail]]);
  });

  test("may be left out where they are not required", async () => {
    for (const sound of ["", "a text"])
      expect((await app.request(address, form({ picture, sound }))).status).toBe(200);
  });

  test("are ignored for a field that has a text besides, and where the schema has no fields", async () => {
    const data = new FormData();
    for (const name of ["image", "picture"]) {
      data.append(name, "a text");
      data.append(name, file(1));
    }
    expect((await app.request(address, { method: "POST", body: data })).status).toBe(200);
    const loose = takingBody({ schema: z.record(z.string(), z.unknown()) });
    expect((await loose.request(address, form({ image: picture }))).status).toBe(200);
  });

  test("say more of a field than that its text is missing", async () => {
    const strict = takingBody({ schema: z.object({ image: z.string() }) });
    expect(detailsOf(await strict.request(address, form({ image: picture })))).toEqual([forText]);
  });
});

describe("a body", () => {
  const schema = z.object({ name: z.string(), count: z.int().optional() });

  test("counts null as left out, and in forms an empty text", async () => {
    const app = takingBody({ schema, form: { numbers: ["count"] } });
    for (const [answer, read] of [
      [await app.send("POST", address, { name: "A", count: null }), { name: "A" }],
      [await app.request(address, form({ name: "A", count: "" })), { name: "A" }],
      [await app.request(address, form({ name: "A", count: "4" })), { name: "A", count: 4 }],
    ] as const)
      expect(answer.body).toMatchObject({ body: read });
    expect(namedFields(await app.send("POST", address, { name: "A", count: "" }))).toEqual({
      count: "invalid",
    });
  });

  test("may be prepared before it is validated", async () => {
    const prepare = (fields: Record<string, unknown>) => ({ ...fields, name: `${String(fields["name"])}!` });
    const answer = await takingBody({ schema, prepare }).send("POST", address, { name: "A" });
    expect(answer.body).toMatchObject({ body: { name: "A!" } });
  });

  test("is refused before it is read where no body is accepted", async () => {
    const app = takingBody({
      schema,
      beforeReading: (_context, { thing }) => Promise.reject(Fault.notFound(`No ${thing}.`)),
    });
    const answer = await app.request(address, { method: "POST", body: "no json" });
    expect([answer.status, detailsOf(answer)]).toEqual([404, ["No lamp."]]);
  });

  test("has the limits of its operation", async () => {
    const long = { name: "x".repeat(300_000) };
    const statusWith = async (limits: object) =>
      (await takingBody({ schema, ...limits }).send("POST", address, long)).status;
    expect(await statusWith({})).toBe(400);
    expect(await statusWith({ maxBytes: 400_000 })).toBe(400);
    expect(await statusWith({ textMaxBytes: 400_000 })).toBe(200);
    const inForm = () => form({ name: "A", other: file(300_000) });
    expect((await takingBody({ schema, maxBytes: 400_000 }).request(address, inForm())).status).toBe(200);
    const limit = { maxBytes: 10, refusal: () => Fault.invalid("max_length", "Too much.") };
    const small = takingBody({ schema, maxBytes: 400_000, beforeReading: () => Promise.resolve(limit) });
    expect(detailsOf(await small.request(address, inForm()))).toEqual(["Too much."]);
  });

  const fault = (detail: string, attr: string | null) => ({ code: "invalid" as const, detail, attr });

  test("is told all errors at once, those of the schema first", async () => {
    const app = takingBody({
      schema,
      furtherErrors: (caller, fields, files) => [
        fault(`${caller.by} ${Object.keys(fields).join()} ${files.size}`, "taken"),
        fault("Follows from the first.", "name.inside"),
        fault("The same.", "name"),
        fault("Another field.", "names"),
        fault("The whole.", null),
      ],
    });
    const answer = await app.send("POST", address, { name: 7 });
    const first = "This field must be a text.";
    expect(detailsOf(answer)).toEqual([first, "key name 0", "Another field.", "The whole."]);
    expect((await app.send("POST", address, { name: "A" })).status).toBe(200);
  });

  test("gets no further errors where nobody is known, or the body has no fields", async () => {
    const description = { schema, furtherErrors: () => [fault("More.", null)] };
    const open = takingBody(description, "none", byNobody);
    expect(detailsOf(await open.send("POST", address, {}))).toEqual(["This field is required."]);
    const odd = takingBody({ ...description, prepare: () => [] as never });
    expect(detailsOf(await odd.send("POST", address, {}))).toEqual(["The body must be an object."]);
  });
});
