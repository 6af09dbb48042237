/** Builds what the browser tests run (`npm run build`), unless the last build was of the same files. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { runCommand } from "./command.ts";

/** What a build reads. */
const inputs = [
  "src",
  "public",
  "webassembly",
  "config",
  "scripts",
  "docs",
  "vite.config.ts",
  "package-lock.json",
  "package.json",
  "*.html",
];
const built = "dist/server/main.js";
const noted = "test-results/built.txt";

/** Names the files and the build that was made of them; null where no build is there. */
function stateOfBuild(): string | null {
  if (!existsSync(built)) return null;
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z", "--", ...inputs], {
    encoding: "utf8",
  });
  const hash = createHash("sha256");
  for (const path of list.split("\0").filter((each) => existsSync(each) && statSync(each).isFile()))
    hash.update(`${path}\0`).update(readFileSync(path));
  return `${hash.digest("hex")} ${statSync(built).mtimeMs}`;
}

const before = stateOfBuild();
if (before === null || !existsSync(noted) || readFileSync(noted, "utf8") !== before) {
  const { code } = await runCommand(["npm", "run", "--silent", "build"], { shows: true });
  process.exitCode = code;
  const after = stateOfBuild();
  if (code === 0 && after !== null) {
    mkdirSync("test-results", { recursive: true });
    writeFileSync(noted, after);
  }
}
