import type { DrawSvgOptions } from './draw-svg.ts'
import type { EmojiBodies } from './paint-scene.ts'
import type { Scene } from './scene.ts'

/** Message from the pool to a worker: plain data, because it is cloned. */
export type Job =
  | {
      readonly kind: 'scene'
      readonly scene: Scene
      readonly widthPx: number
      /** The SVG fragments of the emoji that the scene names: workers need not load the pack. */
      readonly emojiBodies: EmojiBodies
    }
  | { readonly kind: 'svg'; readonly svg: string; readonly options: DrawSvgOptions }

/** Message from a worker to the pool. */
export type JobResult =
  | { readonly png: Uint8Array<ArrayBuffer> }
  /** The job failed; the worker can take the next one. */
  | { readonly error: string }
