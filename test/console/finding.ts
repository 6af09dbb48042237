/** Finds what a page shows by its role and its name, as those who use it do. */
import { expect, vi } from "vitest";

/** Selectors of what has a role. */
const roles = {
  alert: "[role=alert]",
  article: "article",
  button: "button:not([role]), [role=button]",
  checkbox: "input[type=checkbox]:not([role])",
  combobox: "select, input[list]",
  dialog: "dialog[open]",
  group: "fieldset, [role=group]",
  heading: "h1, h2, h3, h4",
  image: "img, [role=img]",
  link: "a[href]",
  list: "ul, ol",
  listitem: "li",
  menuitem: "[role=menuitem]",
  navigation: "nav",
  option: "[role=option]",
  progressbar: "[role=progressbar]",
  radio: "input[type=radio]",
  region: "section",
  row: "tr",
  slider: "[role=slider], input[type=range]",
  status: "[role=status]",
  switch: "[role=switch]",
  tab: "[role=tab]",
  textbox:
    "textarea, input:not([type]), input[type=text], input[type=email], input[type=number], input[type=password], input[type=search], input[type=url]",
} as const;

type Role = keyof typeof roles;
/** A name is the whole text that a reader gets, or fits a pattern. */
type Name = string | RegExp;
/** Where something is looked for; a function finds it anew each time. */
type Place = Element | (() => Element | undefined);

/** What a reader gets to hear of an element's words. */
export function textOf(node: Node | undefined): string {
  const texts: string[] = [];
  const collect = (inner: Node): void => {
    if (inner instanceof Element && inner.matches("[aria-hidden=true], style, script")) return;
    if (inner instanceof Text) texts.push(inner.data);
    else inner.childNodes.forEach(collect);
  };
  if (node) collect(node);
  return texts.join("").replace(/\s+/g, " ").trim();
}

function nameOf(element: Element): string {
  const given = element.getAttribute("aria-label");
  if (given !== null) return given.trim();
  const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
  if (ids.length > 0) return ids.map((id) => textOf(document.getElementById(id) ?? undefined)).join(" ");
  if (element instanceof HTMLFieldSetElement) return textOf(element.querySelector("legend") ?? undefined);
  if (element instanceof HTMLImageElement) return element.alt;
  if (element.matches("input, select, textarea, [role=switch]")) {
    const label = document.querySelector(`label[for="${element.id}"]`) ?? element.closest("label");
    if (label) return textOf(label);
  }
  return textOf(element);
}

const isNamed = (element: Element, name: Name): boolean =>
  typeof name === "string" ? nameOf(element) === name : name.test(nameOf(element));

const elementOf = (place: Place): Element | undefined => (typeof place === "function" ? place() : place);

/** What is shown with a role and a name. */
export function all(role: Role, name: Name = /^/, place: Place = document.body): HTMLElement[] {
  const found = elementOf(place)?.querySelectorAll<HTMLElement>(roles[role]) ?? [];
  return [...found].filter((element) => !element.closest("[hidden]") && isNamed(element, name));
}

/** The first of them, if there is one. */
export const find = (role: Role, name?: Name, place?: Place): HTMLElement | undefined =>
  all(role, name, place)[0];

/** Something that may be found later: a place for others. */
export const within =
  (role: Role, name?: Name, place?: Place): (() => HTMLElement | undefined) =>
  () =>
    find(role, name, place);

/** The element whose words contain these: a card, an entry of a list. */
export const holding =
  (role: Role, words: Name, place?: Place): (() => HTMLElement | undefined) =>
  () =>
    all(role, /^/, place).find((element) =>
      typeof words === "string" ? textOf(element).includes(words) : words.test(textOf(element)),
    );

const soon = { interval: 4 };

/** Waits until the element is shown. */
export const see = (role: Role, name?: Name, place?: Place): Promise<HTMLElement> =>
  vi.waitFor(() => {
    const found = find(role, name, place);
    if (!found) {
      const others = all(role, /^/, place).map(nameOf).join(", ");
      throw new Error(`There is no ${role} ${String(name)}, only: ${others}`);
    }
    return found;
  }, soon);

/** Waits until no such element is shown. */
export const seeNone = (role: Role, name?: Name, place?: Place): Promise<void> =>
  expect.poll(() => all(role, name, place).length, soon).toBe(0);

/** Waits until the place has these words. */
export function read(words: Name, place: Place = document.body): Promise<void> {
  const shown = expect.poll(() => textOf(elementOf(place)), soon);
  return typeof words === "string" ? shown.toContain(words) : shown.toMatch(words);
}

/** Waits until the place has these words no more. */
export const readNo = (words: string, place: Place = document.body): Promise<void> =>
  expect.poll(() => textOf(elementOf(place)), soon).not.toContain(words);

const pressable = ["button", "link", "menuitem", "tab", "switch", "radio", "checkbox", "option"] as const;

/** Presses what has this name, as soon as it can be pressed. */
export async function press(name: Name, place?: Place): Promise<void> {
  const target = await vi.waitFor(() => {
    const found = pressable
      .flatMap((role) => all(role, name, place))
      .find((one) => !one.matches(":disabled"));
    if (!found) {
      const others = pressable.flatMap((role) => all(role, /^/, place)).map(nameOf);
      throw new Error(`Nothing here is pressed as ${String(name)}, only: ${others.join(", ")}`);
    }
    return found;
  }, soon);
  target.click();
}

/** The field of a label, as soon as it is shown; also a select or a text area, in what they have in common. */
export const field = (label: Name, place?: Place): Promise<HTMLInputElement> =>
  vi.waitFor(() => {
    const found = (["textbox", "combobox", "checkbox", "radio"] as const).flatMap((role) =>
      all(role, label, place),
    )[0];
    if (!found) throw new Error(`There is no field ${String(label)}.`);
    return found as HTMLInputElement;
  }, soon);

/** Types into the field of a label, or chooses there. */
export async function write(label: Name, value: string, place?: Place): Promise<void> {
  const target = await field(label, place);
  target.value = value;
  for (const type of ["input", "change"]) target.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Waits until the field of a label has a value. */
export const seeValue = (label: Name, value: string, place?: Place): Promise<void> =>
  expect.poll(async () => (await field(label, place)).value, soon).toBe(value);

/** Presses a key. */
export const type = (target: Element, key: string, more: KeyboardEventInit = {}): boolean =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

/** What the page says at its foot. */
export const toast = (words: Name): Promise<void> =>
  read(words, () => document.querySelector(".toasts") ?? undefined);
