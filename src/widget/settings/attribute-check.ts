/**
 * The values of the attributes that have only some. Written out, because what is imported here would move into files that are
 * loaded earlier; a test compares them with the contract in `protocol/`.
 */
const choices: Readonly<Record<string, readonly string[]>> = {
  variant: ["bubble", "inline", "fullscreen", "compact"],
  placement: ["bottom-right", "bottom-left", "top-right", "top-left", "bottom-center", "center-right"],
  theme: ["auto", "light", "dark"],
  mode: ["avatar", "voice", "text"],
  render: ["auto", "local", "remote"],
  captions: ["true", "false"],
  prefetch: ["intent", "idle"],
};

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  "padding-left": [-1, 1],
  "padding-top": [0, 1],
  "padding-height": [0, 5],
};

const isLanguage = (tag: string): boolean => {
  try {
    new Intl.Locale(tag.replace("_", "-"));
    return true;
  } catch {
    return false;
  }
};

/** What is wrong with the element's attributes, each in one line that says what is possible. */
export function attributeFaults(element: Pick<Element, "getAttribute">): string[] {
  const faults: string[] = [];
  const check = (name: string, isRight: (value: string) => boolean, possible: string) => {
    const value = element.getAttribute(name);
    if (value !== null && !isRight(value)) faults.push(`${name}="${value}" is unknown: use ${possible}`);
  };
  if (!element.getAttribute("context-id")?.trim()) faults.push("context-id is missing");
  for (const [name, values] of Object.entries(choices))
    check(name, (value) => values.includes(value), values.join(", "));
  for (const [name, [least, most]] of Object.entries(ranges))
    check(
      name,
      (value) => value.trim() !== "" && Number(value) >= least && Number(value) <= most,
      `a number from ${least} to ${most}`,
    );
  check("lang", (value) => value === "" || isLanguage(value), "a language such as en or pt-BR");
  return faults;
}

/** Tells those who have put the element into a page what is wrong with its attributes, in the browser's console. */
export function tellAttributeFaults(element: Pick<Element, "getAttribute">): void {
  // eslint-disable-next-line no-console -- that is its purpose
  for (const fault of attributeFaults(element)) console.warn(`Visavis: ${fault}`);
}
