import js from "@eslint/js";
import globals from "globals";
import { configs as lit } from "eslint-plugin-lit";
import litA11y from "eslint-plugin-lit-a11y";
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
  "src/widget/panel/{panel-element,toolbar}.ts",
  "src/widget/rich/{content-form,rich-view}.ts",
  "src/widget/transcript/{composer,follow-conversation,voice-mark}.ts",
  // WebRTC and resource timing: their types are stricter, or wider, than their objects.
  "src/client/{debug,recovery}.ts",
  // Tokens of the Markdown parser: an extension may add any, so their types do not narrow.
  "src/markdown/parse-markdown.ts",
  // JSON that the loader reads from its own relay without a parser, to save bytes.
  "src/embed/launcher-record.ts",
  // Lines that the log itself has written.
  "src/logging/readable-line.ts",
  // JSON behind a schema or a hand-written check that TypeScript cannot express.
  "src/puppet/format/{parse-layer,parse-mouth,parse-rig,read-json}.ts",
  "src/widget/stage/{set-paddings,stage-mount}.ts",
  // Generic containers: keys of an object, listeners by event type, a property added to a request.
  "src/client/typed-events.ts",
  "src/console/preview/posed-session.ts",
  "src/protocol/{body-buffer,element-contract,small-zod,ui-config,viewer-message}.ts",
  "src/relay/body-lease.ts",
  "src/widget/session/session-snapshot.ts",
];

/** Files that read flat arrays of numbers (coordinates, pixels, samples) by computed indexes, where `!` says that the index is inside. */
const flatArrays = [
  "src/puppet/{behaviour,format,pictures,rig}/**/*.ts",
  "src/stage/unmatte.ts",
  "src/{photo,photo-making}/**/*.ts",
  "src/service/{audio,speech/alignment}/**/*.ts",
  "src/service/media/{finished,packed}-frame.ts",
  "src/service/sessions/written-words.ts",
  "src/service/speech/engines/flite/word-alignment.ts",
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
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["config/tsconfig.{puppet,browser,server,tools}.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { arguments: false } }],
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
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["e2e/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts"],
    rules: {
      // A fixture of Playwright names in a pattern what it depends on, also when that is nothing.
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression > Identifier.property[name='waitForTimeout']",
          message: "Wait for the condition instead.",
        },
        {
          selector: "TSAsExpression > TSAsExpression.expression[typeAnnotation.type='TSUnknownKeyword']",
          message:
            "Use HTMLElementTagNameMap for the element, and declare in the global Window what a test adds to it.",
        },
      ],
    },
  },
  {
    files: ["**/*.{js,cjs,mjs}"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.node } },
  },
  { files: ["examples/**/*.js"], languageOptions: { globals: { ...globals.browser } } },
);
