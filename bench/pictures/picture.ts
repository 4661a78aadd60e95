import type { SectionResult } from '../report/section-result.ts'
import type { Line, Row } from '../support/row.ts'
import type { Sheet } from './sheet.ts'

/** A picture of what some sections found. */
export interface Picture {
  readonly name: string
  readonly title: string
  /** The picture's text alternative. */
  readonly description: string
  readonly widthPx: number
  readonly heightPx: number
  draw(sheet: Sheet): void
}

/** Undefined where nothing of what it would show was measured. */
export type MakePicture = (results: readonly SectionResult[]) => Picture | undefined

export const pictureWidthPx = 960
export const marginPx = 36

/** The head of every picture. */
export function drawHead(sheet: Sheet, title: string, subtitle: string): void {
  sheet.text(title, marginPx, 50, { sizePx: 21, weight: 700 })
  sheet.text(subtitle, marginPx, 74, { sizePx: 14, color: sheet.palette.paleInk })
}

export function rowsOf(results: readonly SectionResult[], section: string): readonly Row[] {
  return results.find(({ name }) => name === section)?.rows ?? []
}

export function linesOf(results: readonly SectionResult[], section: string): readonly Line[] {
  return rowsOf(results, section).flatMap(({ line }) => line ?? [])
}
