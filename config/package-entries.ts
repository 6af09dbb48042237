/** Modules of the package `visavis` that a browser imports. */
export const browserEntries = {
  element: "src/widget/index.ts",
  client: "src/client/index.ts",
  stage: "src/stage/index.ts",
  puppet: "src/puppet/index.ts",
};

/** Modules of the package `visavis` that a server imports. */
export const serverEntries = { relay: "src/relay/index.ts", "relay-node": "src/relay/node.ts" };
