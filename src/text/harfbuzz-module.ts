type Exports = Readonly<Record<string, (...args: number[]) => number>> & {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
}

export type HarfBuzzModule = ReturnType<typeof loadHarfBuzzModule>

/** HarfBuzz as WebAssembly: its functions by name, its memory and its function table. Pointers are plain numbers. */
export function loadHarfBuzzModule(wasm: Uint8Array | WebAssembly.Module) {
  function grow(bytes: number) {
    const missing = (bytes >>> 0) - exports.memory.buffer.byteLength
    try {
      exports.memory.grow(Math.max(0, Math.ceil(missing / 65536)))
      return 1
    } catch {
      return 0
    }
  }
  const compiled = wasm instanceof Uint8Array ? new WebAssembly.Module(new Uint8Array(wasm)) : wasm
  const instance = new WebAssembly.Instance(compiled, {
    wasi_snapshot_preview1: { proc_exit: abort },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: abort,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow,
    },
  })
  const exports = instance.exports as Exports

  /**
   * A function that is called often: looked up once.
   * @throws Error when the module has no such function.
   */
  function entry(name: string): (...args: number[]) => number {
    const target = exports[name]
    if (target === undefined) throw new Error(`HarfBuzz has no ${name}`)
    return target
  }

  function call(name: string, ...args: number[]): number {
    return entry(name)(...args)
  }

  call('__wasm_call_ctors')
  return {
    memory: exports.memory,
    call,
    entry,
    /** Copies bytes into memory that must be freed. Returns the pointer. */
    copyIn(data: Uint8Array): number {
      const pointer = call('malloc', Math.max(1, data.length))
      if (pointer === 0) throw new Error('HarfBuzz is out of memory')
      new Uint8Array(exports.memory.buffer, pointer, data.length).set(data)
      return pointer
    },
    /**
     * Makes a function callable through the table. Returns its slot.
     * @param parameters see `wasmCallback`.
     */
    addCallback: (parameters: string, callback: (...args: number[]) => void): number =>
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

const typeCodes: Readonly<Record<string, number>> = { i: 0x7f, f: 0x7d }

/**
 * Wraps a function so that WebAssembly can call it through a table. The wrapper is a module of one import
 * that is exported again: `WebAssembly.Function` would do the same but no runtime ships it.
 * @param parameters one letter each: `i` for i32 and pointers, `f` for f32. Nothing is returned.
 */
function wasmCallback(callback: (...args: number[]) => void, parameters: string): unknown {
  const types = [...parameters].map((letter) => typeCodes[letter] ?? 0x7f)
  const signature = [1, 0x60, types.length, ...types, 0]
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, signature.length, ...signature],
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ]
  const module = new WebAssembly.Module(Uint8Array.from(bytes))
  return new WebAssembly.Instance(module, { e: { f: callback } }).exports['f']
}
