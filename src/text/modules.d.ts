declare module 'wawoff2/build/decompress_binding.js' {
  const decoder: {
    /** Absent until it has started. The bytes lie in memory that the next call overwrites. */
    readonly decompress?: (woff2: Uint8Array) => Uint8Array | false
  }
  export default decoder
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number } | null
  }
}
