/** Visitors are told how long the owner keeps what they say, wherever the widget speaks of privacy. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { openAvatar } from "../support/talk.ts";
import { avatar, launcher, snippet } from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/korean": hostPage(snippet(relayOrigin, context, 'data-lang="ko"')),
  }),
});

const consentText = "Mina works with what you write.";
const sentence = "What is said is kept for 30 days, then deleted.";

/** The owner keeps words for some days, and asks for consent or not. */
const keep = (days: number, ui: Record<string, unknown> = {}): Promise<void> =>
  changeContext(served, (context) => {
    context.embed_config["retention_days"] = days;
    context.embed_config["ui"] = ui;
  });

async function openConsentPage(page: Page): Promise<void> {
  await launcher(page).click();
  await expect(avatar(page).getByText(consentText)).toBeVisible();
}

test("the consent page says for how many days words are kept, in the visitor's language", async ({
  page,
}) => {
  await keep(30, { consent_text: consentText });
  await page.goto(served.site.origin);
  await openConsentPage(page);
  await expect(avatar(page).getByText(sentence)).toBeVisible();

  await page.goto(`${served.site.origin}/korean`);
  await openConsentPage(page);
  await expect(avatar(page).getByText("대화 내용은 30일 동안 보관된 뒤 삭제됩니다.")).toBeVisible();
});

test("the consent page says nothing of it when no words are kept", async ({ page }) => {
  await keep(0, { consent_text: consentText });
  await page.goto(served.site.origin);
  await openConsentPage(page);
  await expect(avatar(page).getByText("is kept for")).toHaveCount(0);
});

test("without a consent page, the settings say it", async ({ page }) => {
  await keep(30);
  await openAvatar(page, served.site.origin);
  await avatar(page).getByRole("button", { name: "More" }).click();
  await avatar(page).getByRole("button", { name: "Settings" }).click();
  await expect(avatar(page).locator(".vv-set").getByText(sentence)).toBeVisible();
});
