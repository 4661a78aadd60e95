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
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

declare module 'bidi-js' {
  export interface EmbeddingLevels {
    readonly levels: Uint8Array
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  }
  export interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels
    getBidiCharTypeName(character: string): string
  }
  export default function bidiFactory(): Bidi
}
