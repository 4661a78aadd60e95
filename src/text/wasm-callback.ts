const typeCodes: Readonly<Record<string, number>> = { i: 0x7f, f: 0x7d }

/**
 * Wraps a function so that WebAssembly can call it through a table. The wrapper is a module of one import
 * that is exported again: `WebAssembly.Function` would do the same but no runtime ships it.
 * @param parameters one letter each: `i` for i32 and pointers, `f` for f32. Nothing is returned.
 */
export function wasmCallback(callback: (...args: number[]) => void, parameters: string): unknown {
  const types = [...parameters].map((letter) => typeCodes[letter] ?? 0x7f)
  const signature = [1, 0x60, types.length, ...types, 0]
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, signature.length, ...signature],
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ]
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), {
    e: { f: callback },
  })
  return instance.exports['f']
}
