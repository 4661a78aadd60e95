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

declare module 'pathkit-wasm' {
  interface Path {
    /** Rows of a matrix of three. */
    transform(...matrix: readonly number[]): Path
    setFillType(type: unknown): void
    /** Changes the path to contours that do not cross. Null where that fails. */
    simplify(): Path | null
    stroke(options: {
      readonly width: number
      readonly miter_limit: number
      readonly cap: unknown
      readonly join: unknown
    }): Path | null
    /** A verb and its points, of a conic its weight too. */
    toCmds(): readonly (readonly number[])[]
  }
  interface PathKit {
    FromSVGString(d: string): Path
    readonly FillType: { readonly EVENODD: unknown }
    readonly StrokeCap: { readonly BUTT: unknown; readonly ROUND: unknown; readonly SQUARE: unknown }
    readonly StrokeJoin: { readonly MITER: unknown; readonly ROUND: unknown; readonly BEVEL: unknown }
    readonly MOVE_VERB: number
    readonly CONIC_VERB: number
    readonly CLOSE_VERB: number
  }
  export default function start(options: { readonly wasmBinary: Uint8Array }): Promise<PathKit>
}

declare module '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs' {
  interface Frame {
    readonly width: number
    readonly height: number
    readonly bitsPerSample: number
    readonly componentCount: number
    readonly isSigned: boolean
  }
  interface Encoder {
    /** The memory that the frame is read from, valid until the next call. */
    getDecodedBuffer(frame: Frame): Uint8Array
    setProgressive(isProgressive: boolean): void
    /** 0 is 4:4:4, 1 is 4:2:2, 2 is 4:2:0. */
    setSubSampling(subSampling: number): void
    setQuality(quality: number): void
    encode(): void
    /** A view of memory that `delete` frees. */
    getEncodedBuffer(): Uint8Array
    delete(): void
  }
  export default function start(options: {
    readonly wasmBinary: Uint8Array
  }): Promise<{ readonly JPEGEncoder: new () => Encoder }>
}
