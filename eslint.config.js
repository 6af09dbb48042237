import js from "@eslint/js";
import globals from "globals";
import { configs as lit } from "eslint-plugin-lit";
import compat from "eslint-plugin-compat";
import litA11y from "eslint-plugin-lit-a11y";
import regexp from "eslint-plugin-regexp";
import { configs as wc } from "eslint-plugin-wc";
import tseslint from "typescript-eslint";

/** A parameter or variable with such a name would hide the platform's own object. */
const platformNames =
  "window|document|process|performance|navigator|location|history|screen|console|crypto|globalThis|self";

const shadowedPlatform = [
  "VariableDeclarator > Identifier.id",
  "VariableDeclarator > ObjectPattern > Property > Identifier.value",
  "VariableDeclarator > ArrayPattern > Identifier.elements",
  ":function > Identifier.params",
  ":function > ObjectPattern.params > Property > Identifier.value",
].map((selector) => ({
  selector: `${selector}[name=/^(${platformNames})$/]`,
  message: "The name belongs to the platform.",
}));

const typeAssertion = {
  selector: "TSAsExpression:not([typeAnnotation.typeName.name='const'])",
  message: "Narrow or parse the value. Where that is impossible, list the file among the boundaries.",
};

const noPause =
  "On a busy machine this is too short, and elsewhere too long. Wait for what is to happen (expect.poll, an event, a promise), or give the code under test its clock (vi.useFakeTimers).";

const clockRead = "CallExpression[callee.object.name=/^(performance|Date)$/][callee.property.name='now']";
const comparison = "CallExpression[callee.property.name=/^toBe(LessThan|GreaterThan|CloseTo)/]";

/** What makes a test depend on how fast its machine is. */
const machineSpeed = [
  {
    selector:
      "NewExpression[callee.name='Promise'] > :function CallExpression[callee.name='setTimeout']" +
      "[arguments.0.type='Identifier'][arguments.length>1]:not([arguments.1.value=0]):not([arguments.1.value=1])",
    message: noPause,
  },
  {
    selector: "ImportDeclaration[source.value=/^(node:)?timers.promises$/] > [imported.name='setTimeout']",
    message: noPause,
  },
  ...[
    `${comparison} > MemberExpression > CallExpression[callee.name='expect'] > :matches(BinaryExpression, CallExpression[callee.object.name='Math']) ${clockRead}`,
    `${comparison} > BinaryExpression.arguments ${clockRead}`,
    `${comparison} > ${clockRead}.arguments`,
  ].map((selector) => ({
    selector,
    message:
      "How long something takes says how fast this machine is. Count what happens, or compare the order of events.",
  })),
];

/** What nothing that drives a browser does. */
const inBrowsers = [
  { selector: "MemberExpression > Identifier.property[name='waitForTimeout']", message: noPause },
  {
    selector: "TSAsExpression > TSAsExpression.expression[typeAnnotation.type='TSUnknownKeyword']",
    message:
      "Use HTMLElementTagNameMap for the element, and declare in the global Window what a test adds to it.",
  },
];

/** Files of tests that may pause, and why. */
const pausing = [
  // They ask again and again what another process answers, which cannot tell it by itself.
  "test/patience.ts",
  "test/service/{processes/server-process,store/postgres-server,store/server-port}.ts",
  "e2e/support/stack.ts",
  "e2e/support/lossy-link/lossy-link.ts",
  // After a failed test: a broken page is not waited for longer than a second.
  "e2e/support/test.ts",
  // Removes an element at other moments of its start each time: which ones they are does not matter.
  "e2e/support/page-holdings.ts",
  // A website that is slow.
  "e2e/console/knowledge.spec.ts",
  // By a clock that the test moves.
  "test/console/polling.test.ts",
  // An answer's time of day, against a window of a minute and of an hour.
  "test/command-line/http/uncounted-answers.test.ts",
  "test/service/http/metrics.test.ts",
  // The look of an animation at a moment.
  "test/widget/gallery/state-page.ts",
  // Slow clients, in real time (npm run test:release).
  "test/service/processes/slow-clients.test.ts",
  // Real networks and other browsers, in real time.
  "e2e/release/**/*.ts",
];

const outboundDoor = {
  name: "fetch",
  message: "Call through OutboundCalls, with the policy of the address.",
};

/** Files that may use `as`, because TypeScript cannot know what they know. */
const boundaries = [
  // The DOM: event targets, render roots, the loader's own script tag.
  "src/embed/{embed,launcher-view,stand-in}.ts",
  "src/viewer/viewer.ts",
  // A type that depends on whether there is a schema does not narrow with it.
  "src/console/api/api-client.ts",
  // The texts of a page are there when the page is.
  "src/console/texts/texts.ts",
  "src/widget/dom-template.ts",
  "src/widget/panel/{panel-element,controls/controls}.ts",
  "src/widget/rich/{content-form,rich-view}.ts",
  "src/widget/transcript/{composer,follow-conversation,text-mark}.ts",
  // WebRTC and resource timing: their types are stricter, or wider, than their objects.
  "src/client/{debug,link/recovery}.ts",
  // Tokens of the Markdown parser: an extension may add any, so their types do not narrow.
  "src/markdown/parse-markdown.ts",
  // JSON that the loader reads from its own relay without a parser, to save bytes.
  "src/embed/launcher-record.ts",
  // Lines that the log itself has written.
  "src/logging/readable-line.ts",
  // JSON behind a schema or a hand-written check that TypeScript cannot express.
  "src/puppet/format/{parse-character,parse-layer,read-json}.ts",
  "src/widget/stage/{set-paddings,stage-mount}.ts",
  // Generic containers: keys of an object, listeners by event type, a property added to a request.
  "src/client/typed-events.ts",
  "src/console/preview/posed-session.ts",
  "src/protocol/{body-buffer,page/element-contract,page/viewer-message,schema/small-zod,settings/ui-config}.ts",
  "src/relay/limits/limited-body.ts",
  "src/widget/session/session-snapshot.ts",
];

/** Files that read flat arrays of numbers (coordinates, pixels, samples) by computed indexes, where `!` says that the index is inside. */
const flatArrays = [
  "src/puppet/{behaviour,format,pictures,rig}/**/*.ts",
  "src/stage/canvas-renderer.ts",
  "src/{photo,photo-making}/**/*.ts",
  "src/service/{audio,speech/alignment}/**/*.ts",
  "src/service/media/pictures/{finished,packed}-drawing.ts",
  "src/service/sessions/speech/session-speech.ts",
  "src/service/speech/engines/flite/utterance.ts",
];

export default tseslint.config(
  // What a start, builds and tests write (as in .gitignore), and what is served as it is.
  {
    ignores: [
      "dist/",
      "node_modules/",
      ".visavis/",
      "**/.next/",
      "deploy/tls/",
      "test-results/",
      "playwright-report/",
      "public/",
      // AssemblyScript: its compiler checks it, and its types are not those of TypeScript.
      "webassembly/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    // The rules that need types are in .oxlintrc.json, which `npm run check:types` reads.
    extends: [tseslint.configs.strict],
    rules: {
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["src/widget/**/*.ts", "src/viewer/**/*.ts", "src/console/**/*.ts"],
    plugins: { "lit-a11y": litA11y },
    extends: [lit["flat/recommended"], wc["flat/recommended"]],
    rules: { ...litA11y.configs.recommended.rules },
  },
  {
    // Addresses that somebody typed are called through the guard only, with the policy of their kind.
    files: ["src/service/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", outboundDoor],
      "no-restricted-properties": [
        "error",
        { object: "globalThis", property: "fetch", message: outboundDoor.message },
      ],
    },
  },
  {
    files: ["src/service/**/*.ts"],
    ignores: ["src/service/outbound/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["**/guarded-fetch.ts"],
              importNames: ["createGuardedFetch"],
              message: outboundDoor.message,
            },
            {
              group: ["node:http", "node:https", "node:http2", "node:net", "node:tls"],
              importNames: ["request", "get", "connect", "createConnection", "default"],
              message: outboundDoor.message,
            },
            { group: ["undici"], message: outboundDoor.message },
          ],
        },
      ],
    },
  },
  {
    // What strangers wrote may be made so that a pattern looks through it again and again.
    files: ["src/**/*.ts"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "certain" }],
      "regexp/no-super-linear-move": ["error", { report: "certain" }],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "max-lines": ["error", { max: 300, skipComments: true, skipBlankLines: true }],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      "no-restricted-syntax": ["error", ...shadowedPlatform],
    },
  },
  // A translator has all texts of a page in one file.
  { files: ["src/console/texts/*/*.ts"], rules: { "max-lines": "off" } },
  {
    files: ["src/service/administration/**/*.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        outboundDoor,
        {
          name: "process",
          message: "Administration knows no terminal and no environment: take what is needed.",
        },
      ],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "error",
      "no-restricted-syntax": ["error", ...shadowedPlatform, typeAssertion],
    },
  },
  { files: boundaries, rules: { "no-restricted-syntax": ["error", ...shadowedPlatform] } },
  { files: flatArrays, rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
  {
    files: ["test/**/*.ts", "e2e/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts"],
    rules: {
      "no-console": "off",
    },
  },
  {
    files: ["e2e/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts"],
    rules: {
      // A fixture of Playwright names in a pattern what it depends on, also when that is nothing.
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
      "no-restricted-syntax": ["error", ...inBrowsers],
    },
  },
  ...[
    { files: ["test/**/*.ts"], rules: { "no-restricted-syntax": ["error", ...machineSpeed] } },
    { files: ["e2e/**/*.ts"], rules: { "no-restricted-syntax": ["error", ...inBrowsers, ...machineSpeed] } },
  ].map((tests) => ({ ...tests, ignores: pausing })),
  {
    files: ["**/*.{js,cjs,mjs}"],
    languageOptions: { globals: { ...globals.node } },
  },
  { files: ["examples/**/*.js"], languageOptions: { globals: { ...globals.browser } } },
  {
    // What browsers run. README.md names the same versions.
    files: ["src/{client,embed,markdown,photo,protocol,puppet,stage,viewer,widget}/**/*.ts"],
    plugins: { compat },
    rules: {
      "compat/compat": "error",
      "no-restricted-properties": [
        "error",
        {
          object: "crypto",
          property: "randomUUID",
          message: "Pages without https have none: use getRandomValues.",
        },
      ],
    },
    settings: {
      targets: ["chrome 116", "edge 116", "firefox 125", "safari 17.4", "ios_saf 17.4", "samsung 24"],
      // Looked for before they are used.
      polyfills: ["Highlight", "navigator.connection"],
    },
  },
);
