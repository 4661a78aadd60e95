import type { DrawSvgOptions } from './draw-svg.ts'
import type { EmojiBodies } from './paint-scene.ts'
import type { Scene } from './scene.ts'

/** What the pool asks of a worker. Plain data: it is cloned on its way. */
export type Job =
  | {
      readonly kind: 'scene'
      readonly scene: Scene
      readonly widthPx: number
      /** The SVG fragments of the emoji that the scene names: workers need not load the pack. */
      readonly emojiBodies: EmojiBodies
    }
  | { readonly kind: 'svg'; readonly svg: string; readonly options: DrawSvgOptions }

/** What a worker answers. */
export type JobResult =
  | { readonly png: Uint8Array<ArrayBuffer> }
  /** The job cannot be done; the worker is well. */
  | { readonly error: string }
