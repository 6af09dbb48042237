import { elementContract, namesWhere, type AttributeContract } from "../protocol/page/element-contract.ts";
import "./viewer.css";
import { ParentChannel } from "./parent-channel.ts";
import { runCommand, type CommandedElement } from "./run-command.ts";

const { attributes, events, tagName } = elementContract;

/** Attributes that the iframe's address may set. */
const settable = namesWhere<string, AttributeContract>(attributes, ({ viewer }) => viewer === true);

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

/** The origin of the page around this one, if the browser tells it: not all do, and a page may forbid the referrer. */
function parentOrigin(): string | null {
  const ancestors = (location as { ancestorOrigins?: DOMStringList }).ancestorOrigins;
  return ancestors?.item(0) ?? originOf(document.referrer);
}

function prepare(element: Element, relay: string): void {
  element.setAttribute("relay", relay);
  const query = new URLSearchParams(location.search);
  for (const name of settable) {
    const value = query.get(name);
    if (value !== null) element.setAttribute(name, value);
  }
  const lang = query.get("lang");
  if (lang !== null) document.documentElement.lang = lang;
}

function connect(
  element: HTMLElement & CommandedElement,
  relay: string,
  contextId: string,
  ready: Promise<unknown>,
): void {
  const context = `${relay}/embed/v1/contexts/${encodeURIComponent(contextId)}`;
  const channel = new ParentChannel({
    parent: window.parent,
    parentOrigin: parentOrigin(),
    confirm: async (origin) => {
      const response = await fetch(`${context}/parent?origin=${encodeURIComponent(origin)}`);
      const answer: unknown = await response.json();
      return typeof answer === "object" && answer !== null && "allowed" in answer && answer.allowed === true;
    },
    run: (command) => void ready.then(() => runCommand(element, command)),
  });
  window.addEventListener("message", (message) => void channel.receive(message));
  for (const name of Object.keys(events)) {
    const type = `visavis-${name}`;
    element.addEventListener(type, (event) => channel.post(type, (event as CustomEvent<unknown>).detail));
  }
}

/** The element is in the page already. It gets its settings before the widget is loaded. */
function start(): void {
  const element = document.querySelector<HTMLElement & CommandedElement>(tagName);
  const contextId = element?.getAttribute("context-id");
  if (!element || !contextId) return;
  const relay = location.origin + location.pathname.replace(/\/viewer\/.*$/, "");
  prepare(element, relay);
  const ready = import("../widget/define.ts");
  if (window.parent !== window) connect(element, relay, contextId, ready);
}

start();
