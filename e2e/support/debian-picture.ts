import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A picture in the public domain from one of Debian's packages, taken from its archive and not kept. Null: there is none here. */
export function debianPicture(packageName: string, file: string): Uint8Array | null {
  const folder = mkdtempSync(join(tmpdir(), "visavis-picture-"));
  try {
    execFileSync("apt-get", ["download", packageName], { cwd: folder, stdio: "ignore", timeout: 60_000 });
    const archive = readdirSync(folder).find((name) => name.endsWith(".deb")) ?? "";
    execFileSync("dpkg-deb", ["-x", archive, "."], { cwd: folder, stdio: "ignore" });
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const path = found.find((name) => name.endsWith(`/${file}`));
    return path === undefined ? null : readFileSync(join(folder, path));
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
