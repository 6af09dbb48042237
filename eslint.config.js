import js from "@eslint/js";
import globals from "globals";
import { configs as lit } from "eslint-plugin-lit";
import litA11y from "eslint-plugin-lit-a11y";
import { configs as wc } from "eslint-plugin-wc";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "test-results/", "shots/", "public/"] },
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
      // Array elements and record values are checked for undefined where they are read; `!` says "by construction".
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["src/widget/**/*.ts", "src/viewer/**/*.ts"],
    plugins: { "lit-a11y": litA11y },
    extends: [lit["flat/recommended"], wc["flat/recommended"]],
    rules: { ...litA11y.configs.recommended.rules },
  },
  {
    files: ["src/{widget,viewer,embed,demo}/**/*.ts"],
    rules: {
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "no-restricted-syntax": [
        "error",
        ...[
          "VariableDeclarator > Identifier.id",
          "VariableDeclarator > ObjectPattern > Property > Identifier.value",
          ":function > Identifier.params",
          ":function > ObjectPattern.params > Property > Identifier.value",
        ].map((selector) => ({
          selector: `${selector}[name=/^(window|document|process)$/]`,
          message: "The name belongs to the platform.",
        })),
      ],
    },
  },
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
    files: ["**/*.{js,cjs,mjs}"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.node } },
  },
);
