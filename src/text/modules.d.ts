/** Modules that bring no types, as far as we use them. */

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number } | null
  }
}

declare module 'hyphen' {
  /** Levels, the tree of letters that leads to them, and the places of hyphens in words that they are wrong for. */
  export type Patterns = readonly [levels: unknown, tree: unknown, exceptions?: object]
  export default function createHyphenator(
    patterns: Patterns,
    options: { readonly hyphenChar: string; readonly html: boolean },
  ): (text: string) => string
}

declare module 'wawoff2/build/decompress_binding.js' {
  const decoder: {
    /** Set once the module can be called, as `onRuntimeInitialized` is called. */
    readonly calledRun?: boolean
    onRuntimeInitialized: () => void
    /** Returns memory of the module, which its next call overwrites; false for a file that it cannot unpack. */
    decompress(file: Uint8Array): Uint8Array | false
  }
  export default decoder
}
