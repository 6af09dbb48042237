/**
 * Entry of a media process whose main thread can be profiled: the signal SIGUSR2 starts the profiler, and a second one writes what
 * it has seen to `VISAVIS_BENCH_FOLDER`. Without the signal it is the service's own media process.
 */
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { profileFile, profilesFolder } from "./profile-file.ts";
import "../../src/service/media/media-process.ts";

const session = new Session();
let isRunning = false;

function begin(): void {
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 500 });
  session.post("Profiler.start");
}

function finish(): void {
  session.post("Profiler.stop", (error, { profile }) => {
    const path = join(profilesFolder(), profileFile(process.pid));
    // The reader waits for the name, so the content is complete when it appears.
    writeFileSync(`${path}.part`, error ? "{}" : JSON.stringify(profile));
    renameSync(`${path}.part`, path);
    session.disconnect();
  });
}

process.on("SIGUSR2", () => {
  if (isRunning) finish();
  else begin();
  isRunning = !isRunning;
});
