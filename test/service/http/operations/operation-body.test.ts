import * as z from "zod";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/service/faults/fault.ts";
import type { BodyDescription } from "../../../../src/service/http/operations/operation-body.ts";
import { operation } from "../../../../src/service/http/operations/operation.ts";
import { answering, byKey, byNobody, namedFields, type Answer } from "./answering.ts";

const path = "/api/v1/things/:thing/";
const address = "/api/v1/things/lamp/";

/** The app with one operation that answers with the body and the files that it got. */
function takingBody<Output>(
  body: BodyDescription<Output, typeof path>,
  auth: "key" | "none" = "key",
  identity = byKey,
) {
  const take = operation({
    id: "take",
    tag: "Things",
    summary: "Takes a thing.",
    method: "POST",
    path,
    auth,
    body,
    answer: { status: 200, description: "What was taken.", schema: z.looseObject({}) },
    handler: ({ body: taken, files }) => ({
      body: taken,
      files: Object.fromEntries([...files].map(([name, { length }]) => [name, length])),
    }),
  });
  return answering([take], identity);
}

function form(fields: Record<string, string | Blob>): RequestInit {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return { method: "POST", body: data };
}

const file = (bytes: number): Blob => new Blob(["x".repeat(bytes)]);

const details = ({ body }: Answer): string[] =>
  (body as { errors: { detail: string }[] }).errors.map(({ detail }) => detail);

describe("files of a body", () => {
  const description = {
    schema: z.object({ name: z.string().optional(), image: z.string().optional() }),
    files: {
      picture: { description: "A picture.", maxBytes: 10, required: true },
      sound: { description: "A sound.", maxBytes: 5 },
    },
  };
  const app = takingBody(description);

  test("are handed over with the fields", async () => {
    const { status, body } = await app.request(
      address,
      form({ name: "A", picture: file(10), sound: file(5), other: file(99) }),
    );
    expect([status, body]).toEqual([
      200,
      { body: { name: "A" }, files: { picture: 10, sound: 5, other: 99 } },
    ]);
  });

  test.each<[string, Record<string, string | Blob>, Record<string, string>, string]>([
    ["is missing", {}, { picture: "required" }, "A file is required; use multipart/form-data."],
    [
      "is empty text",
      { picture: "" },
      { picture: "required" },
      "A file is required; use multipart/form-data.",
    ],
    [
      "is a text",
      { picture: "cat.png" },
      { picture: "invalid" },
      "The submitted data was not a file; use multipart/form-data.",
    ],
    ["is too large", { picture: file(11) }, { picture: "max_length" }, "The file is larger than 10 bytes."],
    [
      "is another that is too large",
      { picture: file(1), sound: file(6) },
      { sound: "max_length" },
      "The file is larger than 5 bytes.",
    ],
    [
      "was sent for a text field",
      { picture: file(1), image: file(1) },
      { image: "invalid" },
      "A file was sent for this field; send text.",
    ],
  ])("are refused where one %s", async (_, fields, named, detail) => {
    const answer = await app.request(address, form(fields));
    expect([answer.status, namedFields(answer), details(answer)]).toEqual([400, named, [detail]]);
  });

  test("may be left out where they are not required", async () => {
    for (const sound of ["", "a text"])
      expect((await app.request(address, form({ picture: file(1), sound }))).status).toBe(200);
  });

  test("are ignored for a field that has a text besides, and where the schema has no fields", async () => {
    const data = new FormData();
    data.append("image", "a.png");
    data.append("image", file(1));
    data.append("picture", "a text");
    data.append("picture", file(1));
    expect((await app.request(address, { method: "POST", body: data })).status).toBe(200);
    const loose = takingBody({ schema: z.record(z.string(), z.unknown()) });
    expect((await loose.request(address, form({ image: file(1) }))).status).toBe(200);
  });

  test("say more of a field than that its text is missing", async () => {
    const strict = takingBody({ schema: z.object({ image: z.string() }) });
    const answer = await strict.request(address, form({ image: file(1) }));
    expect(details(answer)).toEqual(["A file was sent for this field; send text."]);
  });
});

describe("a body", () => {
  const schema = z.object({ name: z.string(), count: z.int().optional() });

  test("counts null as left out, and in forms an empty text", async () => {
    const app = takingBody({ schema, form: { numbers: ["count"] } });
    expect((await app.send("POST", address, { name: "A", count: null })).body).toMatchObject({
      body: { name: "A" },
    });
    expect((await app.request(address, form({ name: "A", count: "" }))).status).toBe(200);
    expect((await app.request(address, form({ name: "A", count: "4" }))).body).toMatchObject({
      body: { name: "A", count: 4 },
    });
    expect(namedFields(await app.send("POST", address, { name: "A", count: "" }))).toEqual({
      count: "invalid",
    });
  });

  test("may be prepared before it is validated", async () => {
    const prepare = (fields: Record<string, unknown>) => ({ ...fields, name: `${String(fields["name"])}!` });
    const app = takingBody({ schema, prepare });
    expect((await app.send("POST", address, { name: "A" })).body).toMatchObject({ body: { name: "A!" } });
  });

  test("is refused before it is read where no body is accepted", async () => {
    const app = takingBody({
      schema,
      beforeReading: (_context, { thing }) => Promise.reject(Fault.notFound(`No ${thing}.`)),
    });
    const answer = await app.request(address, { method: "POST", body: "no json" });
    expect([answer.status, details(answer)]).toEqual([404, ["No lamp."]]);
  });

  test("has the limits of its operation", async () => {
    const long = { name: "x".repeat(300_000) };
    expect((await takingBody({ schema }).send("POST", address, long)).status).toBe(400);
    expect((await takingBody({ schema, maxBytes: 400_000 }).send("POST", address, long)).status).toBe(400);
    expect((await takingBody({ schema, textMaxBytes: 400_000 }).send("POST", address, long)).status).toBe(
      200,
    );
    const inForm = form({ name: "A", other: file(300_000) });
    expect((await takingBody({ schema, maxBytes: 400_000 }).request(address, inForm)).status).toBe(200);
    const small = takingBody({
      schema,
      maxBytes: 400_000,
      beforeReading: () =>
        Promise.resolve({ maxBytes: 10, refusal: () => Fault.invalid("max_length", "Too much.") }),
    });
    expect(details(await small.request(address, form({ name: "A", other: file(300_000) })))).toEqual([
      "Too much.",
    ]);
  });

  test("is told all errors at once, those of the schema first", async () => {
    const app = takingBody({
      schema,
      furtherErrors: (caller, fields, files) => [
        {
          code: "invalid",
          detail: `${caller.by} ${Object.keys(fields).join()} ${files.size}`,
          attr: "taken",
        },
        { code: "invalid", detail: "Follows from the first.", attr: "name.inside" },
        { code: "invalid", detail: "The same.", attr: "name" },
        { code: "invalid", detail: "Another field.", attr: "names" },
        { code: "invalid", detail: "The whole.", attr: null },
      ],
    });
    const answer = await app.send("POST", address, { name: 7 });
    expect(details(answer)).toEqual([
      "This field must be a text.",
      "key name 0",
      "Another field.",
      "The whole.",
    ]);
    expect((await app.send("POST", address, { name: "A" })).status).toBe(200);
  });

  test("gets no further errors where nobody is known, or the body has no fields", async () => {
    const description = {
      schema,
      furtherErrors: () => [{ code: "invalid" as const, detail: "More.", attr: null }],
    };
    const open = takingBody(description, "none", byNobody);
    expect(details(await open.send("POST", address, {}))).toEqual(["This field is required."]);
    const odd = takingBody({ ...description, prepare: () => [] as never });
    expect(details(await odd.send("POST", address, {}))).toEqual(["The body must be an object."]);
  });
});
