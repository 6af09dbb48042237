import { spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Copy, DockerfileParser, Env, From, type Instruction } from "dockerfile-ast";

/** The user `node` of the base image. */
const nodeUser = { uid: 1_000, gid: 1_000 };

/** What runs in a container of the image. */
export interface BuiltImage {
  /** The folder that stands for the image's root. */
  root: string;
  /** The folder in it in which the program starts. */
  workdir: string;
  /** The image's variables. Paths point into `root`. */
  environment: Record<string, string>;
  program: string[];
  healthcheck: string[];
  /** As whom it runs: the user `node`, where the test may choose. */
  user: { uid: number; gid: number } | undefined;
}

interface Stage {
  root: string;
  workdir: string;
  environment: Record<string, string>;
  isUnprivileged: boolean;
  program: string[];
  healthcheck: string[];
}

/** Commands that are done in another way here. The test fails when the Dockerfile no longer has one of them. */
const replaced: Record<string, (stage: Stage) => void> = {
  // The repository's own folder is the result of the same command, which takes minutes.
  "npm ci": ({ root, workdir }) =>
    symlinkSync(resolve("node_modules"), join(root, workdir, "node_modules"), "dir"),
  // The user exists in the base image only.
  "install -d -o node -g node /data": ({ root }) => {
    mkdirSync(join(root, "data"));
    if (process.getuid?.() === 0) chownSync(join(root, "data"), nodeUser.uid, nodeUser.gid);
  },
};

function run(stage: Stage, command: string): void {
  const replacement = replaced[command];
  if (replacement) {
    replacement(stage);
    return;
  }
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: join(stage.root, stage.workdir),
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      ...stage.environment,
    },
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}:\n${stdout}${stderr}`);
}

/** `COPY`: the contents of folders, and files by their names, go into the target folder. */
function copy(from: string, names: readonly string[], target: string): void {
  for (const name of names) {
    const source = join(from, name);
    const place = statSync(source).isDirectory() ? target : join(target, basename(name));
    cpSync(source, place, { recursive: true, verbatimSymlinks: true });
  }
}

function environmentOf(instruction: Env, root: string): Record<string, string> {
  return Object.fromEntries(
    instruction.getProperties().map((property) => {
      const value = property.getUnescapedValue() ?? "";
      return [property.getName(), value.startsWith("/") ? join(root, value) : value];
    }),
  );
}

const words = (json: string): string[] => JSON.parse(json) as string[];

/** A build that is under way. */
interface Build {
  context: string;
  stages: Map<string, Stage>;
  /** The commands of `RUN` so far. */
  done: Set<string>;
}

const handlers: Record<string, (stage: Stage, text: string, instruction: Instruction, build: Build) => void> =
  {
    WORKDIR(stage, text) {
      stage.workdir = text;
      mkdirSync(join(stage.root, text), { recursive: true });
    },
    ENV(stage, _text, instruction) {
      if (instruction instanceof Env)
        Object.assign(stage.environment, environmentOf(instruction, stage.root));
    },
    COPY(stage, text, instruction, { context, stages }) {
      const from = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : undefined;
      const names = text.split(/\s+/);
      const target = names.pop() ?? ".";
      const source = from ? stages.get(from)?.root : context;
      if (source === undefined) throw new Error(`COPY names the unknown stage ${from ?? ""}.`);
      copy(source, names, join(stage.root, stage.workdir, target));
    },
    RUN(stage, text, _instruction, { done }) {
      done.add(text);
      run(stage, text);
    },
    USER(stage, text) {
      stage.isUnprivileged = text !== "root";
    },
    CMD(stage, text) {
      stage.program = words(text);
    },
    HEALTHCHECK(stage, text) {
      stage.healthcheck = words(text.slice(text.indexOf("[")));
    },
    VOLUME(stage, text) {
      // It must exist with its owner before, or the volume would belong to root.
      readdirSync(join(stage.root, text));
    },
    EXPOSE: () => undefined,
  };

function newStage(folder: string, number: number): Stage {
  const root = join(folder, `stage-${number}`);
  mkdirSync(root);
  return { root, workdir: "/", environment: {}, isUnprivileged: false, program: [], healthcheck: [] };
}

/**
 * Does what `docker build` does with a Dockerfile, without a container engine: the same commands in the same order, with a folder
 * for the root of each stage. `context` has the files that a build would get. The base images are this machine.
 */
export function buildImage(dockerfile: string, context: string, folder: string): BuiltImage {
  const build: Build = { context, stages: new Map(), done: new Set() };
  let stage: Stage | undefined;
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (instruction instanceof From) {
      stage = newStage(folder, build.stages.size);
      build.stages.set(instruction.getBuildStage() ?? "", stage);
      continue;
    }
    const handle = handlers[keyword];
    if (!stage || !handle) throw new Error(`The test does not know ${keyword} at this place.`);
    handle(stage, instruction.getArgumentsContent() ?? "", instruction, build);
  }
  const missing = Object.keys(replaced).filter((command) => !build.done.has(command));
  if (!stage || missing.length > 0) throw new Error(`The Dockerfile does not run: ${missing.join("; ")}`);
  const { root, workdir, environment, program, healthcheck, isUnprivileged } = stage;
  const user = isUnprivileged && process.getuid?.() === 0 ? nodeUser : undefined;
  return { root, workdir, environment, program, healthcheck, user };
}
