import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../free-port.ts";

/** The machine's own IPv4 address. Undefined if it has only the loopback, to which TURN servers do not relay. */
export const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === "IPv4" && !address.internal)?.address;

/** Whether coturn is installed. */
export const hasTurnServer = spawnSync("turnserver", ["--version"]).error === undefined;

/** A running coturn. */
export interface TurnServer {
  /** Its address without the transport. */
  url: string;
  secret: string;
  stop(): Promise<void>;
}

/** Starts coturn on a free port of the machine's own address, with credentials by its REST convention. */
export async function startTurnServer(address: string): Promise<TurnServer> {
  const [port, secret, folder] = [
    await freePort(),
    "secret-of-this-test",
    mkdtempSync(join(tmpdir(), "visavis-turn-")),
  ];
  const settings = [
    ...["-n", "--no-cli", "--no-tls", "--no-dtls", "--no-stdout-log", "--verbose", "--fingerprint"],
    ...["--use-auth-secret", `--static-auth-secret=${secret}`, "--realm=visavis.test"],
    ...[`--listening-ip=${address}`, `--relay-ip=${address}`, `--listening-port=${port}`],
    ...[`--pidfile=${join(folder, "pid")}`, `--userdb=${join(folder, "db")}`, "--log-file=stdout"],
  ];
  const child = spawn("turnserver", settings, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const started = new Promise<void>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      // It opens the TCP listeners first.
      if (/IPv4\. UDP listener opened on/.test(output)) resolve();
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`turnserver ended with ${code}: ${output}`)));
  });
  await started;
  return {
    url: `turn:${address}:${port}`,
    secret,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
