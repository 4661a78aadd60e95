/** In reading direction. */
export type Align = 'start' | 'center' | 'end'

/** A rectangle on the canvas; x counts from the side where the card's language starts. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
