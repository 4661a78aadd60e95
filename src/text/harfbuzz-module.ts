import { wasmCallback } from './wasm-callback.ts'

/** HarfBuzz as WebAssembly: its functions by name, its memory and its function table. Pointers are plain numbers. */
export interface HarfBuzzModule {
  readonly memory: WebAssembly.Memory
  /** @throws Error when the module has no such function. */
  call(name: string, ...args: number[]): number
  /** Copies bytes into memory that must be freed. Returns the pointer. */
  copyIn(data: Uint8Array): number
  /**
   * Makes a function callable through the table. Returns its slot.
   * @param parameters see `wasmCallback`.
   */
  addCallback(parameters: string, callback: (...args: number[]) => void): number
}

type Exports = Readonly<Record<string, (...args: number[]) => number>> & {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
}

export function loadHarfBuzzModule(wasm: Uint8Array): HarfBuzzModule {
  function grow(bytes: number) {
    const missing = (bytes >>> 0) - exports.memory.buffer.byteLength
    try {
      exports.memory.grow(Math.max(0, Math.ceil(missing / 65536)))
      return 1
    } catch {
      return 0
    }
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(wasm)), {
    wasi_snapshot_preview1: { proc_exit: abort },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: abort,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow,
    },
  })
  const exports = instance.exports as Exports

  function call(name: string, ...args: number[]): number {
    const target = exports[name]
    if (target === undefined) throw new Error(`HarfBuzz has no ${name}`)
    return target(...args)
  }

  call('__wasm_call_ctors')
  return {
    memory: exports.memory,
    call,
    copyIn(data) {
      const pointer = call('malloc', Math.max(1, data.length))
      if (pointer === 0) throw new Error('HarfBuzz is out of memory')
      new Uint8Array(exports.memory.buffer, pointer, data.length).set(data)
      return pointer
    },
    addCallback: (parameters, callback) =>
      exports.__indirect_function_table.grow(1, wasmCallback(callback, parameters)),
  }
}

/** The number by which OpenType names a tag of four letters. */
export function fourLetters(tag: string): number {
  return [...tag].reduce((sum, letter) => (sum << 8) | letter.charCodeAt(0), 0) >>> 0
}

function abort() {
  throw new Error('HarfBuzz aborted')
}
