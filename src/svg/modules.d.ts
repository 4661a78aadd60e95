/** Modules that bring no types, as far as we use them. */

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
