import { expect, test } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { openAvatar, panelText, transcript } from "../support/talk.ts";
import { avatar } from "../support/widget.ts";

const served = useSite({ change: ({ embed_config }) => (embed_config["stt_type"] = "auto") });

test("a recognizer that the browser promises and cannot install is given up: the visitor is told once, and types", async ({
  page,
}) => {
  // As Chromium does without the component that brings the models.
  await page.addInitScript(() => {
    class Promised extends EventTarget {
      static available = (): Promise<string> => Promise.resolve("downloadable");
      static install = (): Promise<boolean> => Promise.resolve(false);
    }
    Reflect.set(globalThis, "SpeechRecognition", Promised);
  });
  await openAvatar(page, served.site.origin);
  const button = avatar(page).locator(".vv-mic");
  await button.click();
  await expect.poll(() => panelText(page)).toContain("You can type instead");
  await expect(button).toHaveCount(0);
  await avatar(page).getByRole("button", { name: "Type instead" }).click();
  await avatar(page).getByRole("textbox").fill("Can I pay by card?");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await transcript(page)).join("\n")).toMatch(/You can pay by card/);
  // The next page of this tab does not offer it again.
  await page.reload();
  await expect(avatar(page).getByText("You can pay by card").first()).toBeVisible();
  await expect(button).toHaveCount(0);
});
