/** The WASI error numbers that this host returns (preview 1, `errno`). */
const errno = { success: 0, badf: 8, inval: 28, noent: 44 } as const;

const filetype = { characterDevice: 2, directory: 3, regularFile: 4 } as const;

/** The only directory that the program sees. All of its files are in memory. */
const rootDescriptor = 3;
const rootName = "/";

/** Ends the program from inside: WASI's `proc_exit` never returns to its caller. */
class ProgramExit extends Error {
  constructor(readonly status: number) {
    super(`The program exited with status ${status}.`);
    this.name = "ProgramExit";
  }
}

/** A file in memory that grows when it is written. */
class MemoryFile {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  position = 0;

  get contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  write(chunk: Uint8Array): void {
    const end = this.position + chunk.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.contents);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.position);
    this.position = end;
    this.#length = Math.max(this.#length, end);
  }

  read(into: Uint8Array): number {
    const chunk = this.contents.subarray(this.position, this.position + into.length);
    into.set(chunk);
    this.position += chunk.length;
    return chunk.length;
  }

  seek(offset: number, whence: number): number {
    const base = whence === 0 ? 0 : whence === 1 ? this.position : this.#length;
    this.position = Math.max(0, base + offset);
    return this.position;
  }
}

/** The output of a program. */
export interface ProgramResult {
  status: number;
  stdout: string;
  /** The files it wrote, by name. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** The part of WASI preview 1 that a program without network, environment or real files needs. */
class WasiHost {
  readonly stdout = new MemoryFile();
  readonly files = new Map<string, MemoryFile>();
  readonly #descriptors = new Map<number, MemoryFile>();
  #arguments: Uint8Array[] = [];
  #memory: WebAssembly.Memory | undefined;
  #nextDescriptor = rootDescriptor + 1;

  constructor() {
    this.#descriptors.set(1, this.stdout);
    this.#descriptors.set(2, new MemoryFile());
  }

  setArguments(argv: readonly string[]): void {
    const encoder = new TextEncoder();
    this.#arguments = argv.map((argument) => encoder.encode(`${argument.replaceAll("\0", "")}\0`));
  }

  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  readonly imports = {
    args_sizes_get: (countAt: number, sizeAt: number): number => {
      this.#view.setUint32(countAt, this.#arguments.length, true);
      this.#view.setUint32(
        sizeAt,
        this.#arguments.reduce((sum, argument) => sum + argument.length, 0),
        true,
      );
      return errno.success;
    },
    args_get: (pointersAt: number, textAt: number): number => {
      let at = textAt;
      this.#arguments.forEach((argument, index) => {
        this.#view.setUint32(pointersAt + index * 4, at, true);
        this.#bytes(at, argument.length).set(argument);
        at += argument.length;
      });
      return errno.success;
    },
    clock_time_get: (_clock: number, _precision: bigint, timeAt: number): number => {
      this.#view.setBigUint64(timeAt, 0n, true);
      return errno.success;
    },
    fd_close: (descriptor: number): number => {
      return this.#descriptors.delete(descriptor) ? errno.success : errno.badf;
    },
    fd_fdstat_get: (descriptor: number, statAt: number): number => {
      if (descriptor !== 0 && descriptor !== rootDescriptor && !this.#descriptors.has(descriptor)) {
        return errno.badf;
      }
      this.#bytes(statAt, 24).fill(0);
      this.#view.setUint8(statAt, this.#filetypeOf(descriptor));
      this.#view.setBigUint64(statAt + 8, 0xffff_ffffn, true);
      this.#view.setBigUint64(statAt + 16, 0xffff_ffffn, true);
      return errno.success;
    },
    fd_fdstat_set_flags: (): number => errno.success,
    fd_prestat_get: (descriptor: number, prestatAt: number): number => {
      if (descriptor !== rootDescriptor) return errno.badf;
      this.#view.setUint32(prestatAt, 0, true);
      this.#view.setUint32(prestatAt + 4, rootName.length, true);
      return errno.success;
    },
    fd_prestat_dir_name: (descriptor: number, nameAt: number, length: number): number => {
      if (descriptor !== rootDescriptor) return errno.badf;
      if (length < rootName.length) return errno.inval;
      this.#bytes(nameAt, rootName.length).set(new TextEncoder().encode(rootName));
      return errno.success;
    },
    fd_read: (descriptor: number, vectorsAt: number, count: number, readAt: number): number => {
      const file = this.#descriptors.get(descriptor);
      const total = file ? this.#eachVector(vectorsAt, count, (bytes) => file.read(bytes)) : 0;
      this.#view.setUint32(readAt, total, true);
      return errno.success;
    },
    fd_write: (descriptor: number, vectorsAt: number, count: number, writtenAt: number): number => {
      const file = this.#descriptors.get(descriptor);
      if (!file) return errno.badf;
      const total = this.#eachVector(vectorsAt, count, (bytes) => {
        file.write(bytes);
        return bytes.length;
      });
      this.#view.setUint32(writtenAt, total, true);
      return errno.success;
    },
    fd_seek: (descriptor: number, offset: bigint, whence: number, positionAt: number): number => {
      const file = this.#descriptors.get(descriptor);
      if (!file) return errno.badf;
      this.#view.setBigUint64(positionAt, BigInt(file.seek(Number(offset), whence)), true);
      return errno.success;
    },
    path_open: (...[directory, , pathAt, pathLength, flags, , , , openedAt]: PathOpenArguments): number => {
      if (directory !== rootDescriptor) return errno.badf;
      const path = new TextDecoder().decode(this.#bytes(pathAt, pathLength).slice());
      const file = this.#open(path, flags);
      if (!file) return errno.noent;
      const descriptor = this.#nextDescriptor++;
      this.#descriptors.set(descriptor, file);
      this.#view.setUint32(openedAt, descriptor, true);
      return errno.success;
    },
    proc_exit: (status: number): never => {
      throw new ProgramExit(status);
    },
  };

  get #buffer(): ArrayBuffer {
    if (!this.#memory) throw new Error("The program was started before it got its memory.");
    return this.#memory.buffer;
  }

  get #view(): DataView {
    return new DataView(this.#buffer);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer, at, length);
  }

  #filetypeOf(descriptor: number): number {
    if (descriptor === rootDescriptor) return filetype.directory;
    return descriptor < rootDescriptor ? filetype.characterDevice : filetype.regularFile;
  }

  #eachVector(vectorsAt: number, count: number, visit: (bytes: Uint8Array) => number): number {
    let total = 0;
    for (let index = 0; index < count; index++) {
      const at = this.#view.getUint32(vectorsAt + index * 8, true);
      const length = this.#view.getUint32(vectorsAt + index * 8 + 4, true);
      total += visit(this.#bytes(at, length));
    }
    return total;
  }

  /** `flags` are WASI's `oflags`: 1 creates, 8 truncates. */
  #open(path: string, flags: number): MemoryFile | undefined {
    const existing = this.files.get(path);
    if (existing && (flags & 8) === 0) {
      existing.position = 0;
      return existing;
    }
    if (!existing && (flags & 1) === 0) return undefined;
    const created = new MemoryFile();
    this.files.set(path, created);
    return created;
  }
}

type PathOpenArguments = [
  directory: number,
  lookupFlags: number,
  pathAt: number,
  pathLength: number,
  flags: number,
  rights: bigint,
  inheritedRights: bigint,
  descriptorFlags: number,
  openedAt: number,
];

interface WasiExports {
  memory: WebAssembly.Memory;
  _start: () => void;
}

interface PreparedRun {
  host: WasiHost;
  start: () => void;
}

/**
 * A compiled WASI command. The program has no access to the machine: its directory is in memory, its clock always returns the
 * same time, and there is no environment. Every run uses a new instance, because commands do not clean up their memory.
 */
export class WasiProgram {
  readonly #module: WebAssembly.Module;
  #prepared: PreparedRun | undefined;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Creates the instance of the next run now, while nobody waits: filling its memory takes about 10 ms for Flite's 17 MB. */
  prepare(): void {
    this.#prepared ??= this.#newRun();
  }

  /** Runs the command to its end with these arguments and files, synchronously. */
  run(argv: readonly string[], files: ReadonlyMap<string, string> = new Map()): ProgramResult {
    const { host, start } = this.#prepared ?? this.#newRun();
    this.#prepared = undefined;
    host.setArguments(argv);
    for (const [name, text] of files) {
      const file = new MemoryFile();
      file.write(new TextEncoder().encode(text));
      host.files.set(name, file);
    }
    const status = run(start);
    return {
      status,
      stdout: new TextDecoder().decode(host.stdout.contents),
      files: new Map([...host.files].map(([name, file]) => [name, file.contents])),
    };
  }

  #newRun(): PreparedRun {
    const host = new WasiHost();
    const instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: host.imports });
    // eslint-disable-next-line no-restricted-syntax -- every WASI command exports these two
    const { memory, _start: start } = instance.exports as unknown as WasiExports;
    host.attach(memory);
    return { host, start };
  }
}

function run(start: () => void): number {
  try {
    start();
    return 0;
  } catch (error) {
    if (error instanceof ProgramExit) return error.status;
    throw error;
  }
}
