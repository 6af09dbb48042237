import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { difference, pictureOf } from "../support/picture.ts";
import { portrait } from "../support/portrait.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { longText, say, untilActivity } from "../support/talk.ts";
import {
  clickLauncher,
  endSession,
  snippet,
  stageFrame,
  startSession,
  untilFirstFrame,
  untilState,
  avatar,
  withPicture,
} from "../support/widget.ts";

// It looks at all photographs of the server.
const served = useSite({
  env: {},
  pages: (relayOrigin, context) => {
    const page = (attributes: string) =>
      hostPage(
        `<div id="here" style="width:360px;height:480px"></div>${snippet(relayOrigin, context, `data-variant="inline" data-target="#here" ${attributes} ${withPicture}`)}`,
      );
    return { "/": page(""), "/local": page('data-render="local"') };
  },
});

/** Runs the command line on the server's data. */
function visavis(...words: string[]): Promise<{ code: number; out: string; notes: string }> {
  const env = { ...process.env, VISAVIS_DATA: served.server.dataFolder };
  return new Promise((resolve) => {
    execFile(process.execPath, ["dist/server/main.js", ...words], { env }, (error, out, notes) =>
      resolve({ code: error ? 1 : 0, out, notes }),
    );
  });
}

const photoFiles = (): string[] =>
  readdirSync(join(served.server.dataFolder, "files")).filter((name) => name.startsWith("photo-"));

test("a character from a photograph talks, and is gone when it is removed", async ({ page }) => {
  test.setTimeout(900_000);
  const file = join(served.server.dataFolder, "portrait.png");
  writeFileSync(file, portrait("amara").toBuffer("image/png"));

  const makeAnna = (consent: string) =>
    visavis("character", "photo", file, ...["--name", "anna"], ...["--consent", consent, "--by", "Ann"]);
  await test.step("the command line makes it, and keeps the statement", async () => {
    const refused = await makeAnna("maybe");
    expect(refused.code).toBe(1);
    expect(refused.notes).toContain("--consent");
    const made = await makeAnna("self");
    expect(made).toMatchObject({ code: 0, out: "anna\n" });
    expect((await visavis("character", "consent", "anna")).out).toContain(
      "The photograph shows me, and I am an adult.",
    );
  });

  await test.step("visitors see it speak", async () => {
    await changeContext(served, (context) => {
      context["model_style"] = "anna";
      context.embed_config["ui"] = { texts: { ai_assistant: "Anna herself" } };
    });
    const still = page.waitForResponse((response) => response.url().includes("/characters/photos/"));
    await page.goto(served.site.origin);
    expect((await still).status()).toBe(200);
    await startSession(page);
    await untilState(page, "live");
    await untilFirstFrame(page);
    await say(page, longText);
    await untilActivity(page, "speaking");
    const before = await pictureOf(page, stageFrame(page));
    // Between two words the mouth may rest for some pictures.
    const change = async (): Promise<number> => difference(before, await pictureOf(page, stageFrame(page)));
    await expect.poll(change).toBeGreaterThan(0.001);
  });

  await test.step("whatever the owner's texts say, it is an AI assistant", async () => {
    await expect(avatar(page).locator(".vv-name")).toContainText("AI assistant");
    await endSession(page);
  });

  await test.step("a visitor's browser draws it itself", async () => {
    const character = page.waitForResponse(/\/characters\/photos\/[^/]+\/character\.json$/);
    await page.goto(`${served.site.origin}/local`);
    await clickLauncher(page);
    expect((await character).status()).toBe(200);
    await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  });

  await test.step("removed, a drawn character takes its place, and nothing is left", async () => {
    const [stored] = photoFiles();
    const id = /^photo-(.*)-[a-z]+$/.exec(stored ?? "")?.[1] ?? "";
    const address = `${served.server.origin}/api/v1/photo_character/${id}/poster/`;
    expect((await fetch(address)).status).toBe(200);
    expect((await visavis("character", "remove", "anna")).code).toBe(0);
    expect(photoFiles()).toEqual([]);
    // The conversation that still shows the person ends.
    await untilState(page, "ended");
    expect((await fetch(address)).status).toBe(404);
    await page.goto(served.site.origin);
    await startSession(page);
    await untilState(page, "live");
    await untilFirstFrame(page);
  });
});
