import { builtinEnvironments, type Environment } from "vitest/runtime";

/** The service runs in the same process: what it needs for requests and files stays Node's. */
const nodes = [
  ...["AbortController", "AbortSignal", "Blob", "DOMException", "File", "FormData", "Headers"],
  ...["Request", "Response", "URL", "URLSearchParams", "fetch"],
] as const;

/** Node's form of files, which also takes the fields of a form in the document. */
function formDataOf(NodeFormData: typeof FormData, DomFormData: typeof FormData): typeof FormData {
  return class extends NodeFormData {
    constructor(form?: HTMLFormElement) {
      super();
      if (form) for (const [name, value] of new DomFormData(form)) this.append(name, value as string);
    }
  };
}

/** Tells of another fragment in the address, which happy-dom does not. */
function followFragment(window: Window & typeof globalThis): void {
  const { location } = window;
  const inherited = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(location), "hash")!;
  Object.defineProperty(location, "hash", {
    configurable: true,
    get: () => inherited.get!.call(location) as string,
    set(fragment: string) {
      inherited.set!.call(location, fragment);
      queueMicrotask(() => window.dispatchEvent(new window.Event("hashchange")));
    },
  });
  window.document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    const target = link?.getAttribute("href");
    if (event.defaultPrevented || !target?.startsWith("#")) return;
    event.preventDefault();
    location.hash = target;
  });
}

/** The console's window without a browser: one for all files that share a process, as the elements that they define. */
export default {
  name: "console-window",
  viteEnvironment: "ssr",
  async setup(global: typeof globalThis & Record<string, unknown>) {
    const NodeFormData = global.FormData;
    const kept = nodes.map((name) => [name, global[name]] as const);
    // Whatever elements load is an empty page: the preview's frame, pictures, style sheets.
    const beforeAsyncRequest = ({ window }: { window: typeof globalThis }) =>
      Promise.resolve(new window.Response("", { headers: { "content-type": "text/html" } }));
    const happyDOM = {
      url: "https://relay.example/console/",
      settings: {
        enableIframePageLoading: true,
        navigation: { disableMainFrameNavigation: true },
        fetch: { interceptor: { beforeAsyncRequest } },
      },
    };
    const { teardown } = await builtinEnvironments["happy-dom"].setup(global, { happyDOM });
    const FormDataOfFields = formDataOf(NodeFormData, global.FormData);
    Object.assign(global, Object.fromEntries(kept), { FormData: FormDataOfFields });
    followFragment(global.window);
    // Lit makes it when it is loaded, and the next file would miss it.
    global["litPropertyMetadata"] = new WeakMap();
    return { teardown };
  },
} satisfies Environment;
