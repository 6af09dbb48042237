/** The `package.json` of each published package. Version, licence and dependency ranges come from the repository's own. */

/** The fields of the repository's `package.json` that the packages use. */
export interface RepositoryManifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Frameworks whose templates the package has types for. */
const frameworks = ["react", "vue", "svelte", "solid-js"];

const frameworkTypes = ["react", "vue", "svelte", "solid"];

const modules = {
  client: "client",
  stage: "stage",
  puppet: "puppet",
  relay: "relay",
  "relay/node": "relay-node",
};

const entry = (name: string) => ({ types: `./types/${name}.d.ts`, default: `./modules/${name}.js` });

function rangesOf(
  names: readonly string[],
  ranges: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const range = ranges[name];
      if (range === undefined) throw new Error(`package.json has no version of ${name}. Add it there.`);
      return [name, range];
    }),
  );
}

const common = ({ version, license, engines }: RepositoryManifest) => ({
  version,
  license,
  type: "module",
  engines,
  publishConfig: { access: "public" },
});

/** Element, client, stage, puppet and relay. Modules for browsers share the page's Lit; everything else is bundled. */
export function visavisManifest(repository: RepositoryManifest) {
  return {
    name: "visavis",
    description:
      "A talking avatar on any web page: web component, client, video stage, drawn characters and token relay.",
    keywords: ["avatar", "web-component", "custom-element", "webrtc", "voice"],
    ...common(repository),
    exports: {
      ".": entry("element"),
      ...Object.fromEntries(Object.entries(modules).map(([path, name]) => [`./${path}`, entry(name)])),
      ...Object.fromEntries(frameworkTypes.map((name) => [`./${name}`, { types: `./types/${name}.d.ts` }])),
      "./custom-elements.json": "./custom-elements.json",
      "./package.json": "./package.json",
    },
    customElements: "custom-elements.json",
    files: ["modules", "types", "public", "docs", "licenses", "SECURITY.md", "custom-elements.json"],
    dependencies: rangesOf(["lit"], repository.devDependencies),
    // Only the types for templates of these frameworks need them.
    peerDependencies: Object.fromEntries(frameworks.map((name) => [name, "*"])),
    peerDependenciesMeta: Object.fromEntries(frameworks.map((name) => [name, { optional: true }])),
  };
}

/** Service and command line. What stays outside of the build is native, WebAssembly, or may not be bundled without its licence's file. */
export function serverManifest(repository: RepositoryManifest) {
  return {
    name: "visavis-server",
    description: "The avatar service of Visavis with its relay, demo page and command line.",
    keywords: ["avatar", "webrtc", "server", "text-to-speech"],
    ...common(repository),
    bin: { visavis: "server/main.js" },
    exports: { "./package.json": "./package.json" },
    files: ["server", "public", "console", "docs", "licenses", "SECURITY.md"],
    dependencies: repository.dependencies,
  };
}
