/** The demo shop: two avatars on one page, and settings that write the snippet for an owner to paste. */

const form = document.querySelector<HTMLFormElement>("#settings");
const snippet = document.querySelector<HTMLElement>("#snippet");
const loader = document
  .querySelector<HTMLTemplateElement>("#loader")
  ?.content.querySelector<HTMLScriptElement>("script");
const inlineHost = document.querySelector<HTMLElement>("#inline-avatar");

interface Settings {
  context: string;
  variant: string;
  theme: string;
  transparent: boolean;
  left: string;
  top: string;
  height: string;
}

function readSettings(): Settings {
  const data = new FormData(form ?? undefined);
  const text = (name: string, fallback: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : fallback;
  };
  return {
    context: text("character", "ctx_demo"),
    variant: text("variant", "bubble"),
    theme: text("theme", "auto"),
    transparent: data.has("transparent"),
    left: text("left", "0"),
    top: text("top", "0"),
    height: text("height", "1"),
  };
}

function attributesOf(settings: Settings): Map<string, string> {
  const attributes = new Map([["context", settings.context]]);
  if (settings.variant !== "bubble") attributes.set("variant", settings.variant);
  if (settings.theme !== "auto") attributes.set("theme", settings.theme);
  if (settings.transparent) attributes.set("transparent", "");
  if (settings.left !== "0") attributes.set("padding-left", settings.left);
  if (settings.top !== "0") attributes.set("padding-top", settings.top);
  if (settings.height !== "1") attributes.set("padding-height", settings.height);
  return attributes;
}

/** A copy of the page's own script tag: the page requires Trusted Types, so no script gets an address from a text. */
function loaderScript(attributes: Map<string, string>, target?: string): HTMLScriptElement {
  const script = loader && document.importNode(loader, true);
  if (!script) throw new Error("The page has no template of the loader's script tag.");
  for (const [name, value] of attributes) script.setAttribute(`data-${name}`, value);
  if (target) script.dataset["target"] = target;
  return script;
}

function showSnippet(attributes: Map<string, string>): void {
  const written = [...attributes].map(([name, value]) =>
    value ? `data-${name}="${value}"` : `data-${name}`,
  );
  if (snippet)
    snippet.textContent = `<script async src="${location.origin}/embed.js" ${written.join(" ")}></script>`;
}

/** Replaces both avatars by new ones with the present settings. */
function apply(): void {
  const settings = readSettings();
  const attributes = attributesOf(settings);
  for (const name of ["left", "top", "height"] as const) {
    const output = form?.querySelector<HTMLOutputElement>(`output[name="${name}-value"]`);
    if (output) output.value = settings[name];
  }
  document.documentElement.dataset["theme"] = settings.theme;
  showSnippet(attributes);
  for (const old of document.querySelectorAll("visavis-avatar, script[data-context]")) old.remove();
  const inline = new Map(attributes).set("variant", "inline");
  if (settings.variant !== "inline") document.body.append(loaderScript(attributes));
  if (inlineHost) document.body.append(loaderScript(inline, "#inline-avatar"));
}

document.querySelector("#copy")?.addEventListener("click", () => {
  const copied = document.querySelector("#copied");
  navigator.clipboard.writeText(snippet?.textContent ?? "").then(
    () => copied && (copied.textContent = "Copied."),
    () =>
      copied && (copied.textContent = "Your browser did not allow it: select the text and copy it by hand."),
  );
});
form?.addEventListener("change", apply);
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  apply();
});
apply();
