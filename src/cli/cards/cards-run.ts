import type { PixelFormatName } from '../../raster/picture-formats.ts'
import type { CardOrigin } from './card-source.ts'
import type { PlanOptions } from './plan-pages.ts'

/** The settings of a run, and the parts that it works with. */
export interface CardsRun extends PlanOptions {
  readonly folder: string
  /** The folder of pictures, below the folder. */
  readonly out: string
  readonly cache: string
  readonly base: string | undefined
  readonly format: PixelFormatName
  readonly origin: CardOrigin
  /** How many pages are worked on at once. */
  readonly atOnce: number
  /** Nothing is written, and what would be is told. */
  readonly isDry: boolean
  /** Pictures that no page names go at once. */
  readonly prunes: boolean
  /** Where a page with all cards is written. */
  readonly sheet: string | undefined
  readonly stop: AbortSignal
  readonly nowMs: number
  readonly warn: (line: string) => void
}
