/** The part of the WebAssembly API that this folder uses. Node has it, but its types are only in the DOM library. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: "WebAssembly.Module";
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Memory: new (limits: { initial: number; maximum: number }) => Memory;
  const Module: new (bytes: Uint8Array) => Module;
  const Instance: new (module: Module, imports: Record<string, Record<string, unknown>>) => Instance;
}
