import { resolve } from "node:path";
import type { Plugin } from "vite";

/** What a conversation in writing does not need at once, and what takes its place. */
const replaced: Readonly<Record<string, string>> = {
  "src/client/media.ts": "src/client/media-later.ts",
  "src/client/context-request.ts": "src/client/context-request-later.ts",
  "src/client/browser-session.ts": "src/client/browser-session-later.ts",
  "src/widget/stage/picture-controller.ts": "src/widget/stage/picture-controller-later.ts",
  "src/widget/motion/opening-player.ts": "src/widget/motion/opening-player-plain.ts",
};

/** The widget for conversations in writing: session, connection, picture and its motion come when they are needed. */
export function writingFirst(root: string): Plugin {
  const paths = new Map(
    Object.entries(replaced).map(([from, to]) => [resolve(root, from), resolve(root, to)] as const),
  );
  return {
    name: "writing-first",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer || !source.startsWith(".")) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const other = found && paths.get(found.id);
      // What stands in its place may load it.
      return other && other !== importer ? other : null;
    },
  };
}
