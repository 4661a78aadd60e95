import { squaredSteps } from './squared-steps.ts'

const colorsMax = 256
/** Cells of 16 steps in each channel, with an empty layer around them. */
const side = 18
const cellCount = side ** 3
const neighbours = Int32Array.from({ length: 27 }, (_, at) => {
  const [red, green, blue] = [Math.floor(at / 9) - 1, (Math.floor(at / 3) % 3) - 1, (at % 3) - 1]
  return (red * side + green) * side + blue
})

/** How far `findNear` looks, as the square of steps of 255: to the neighbours of a cell. */
export const squaredReach = 256

/** A growing palette of at most 256 colours (0xAARRGGBB, signed), in which near ones are found without asking all. */
export class ColorGrid {
  readonly #colors = new Int32Array(colorsMax)
  /** The latest place of each cell plus 1, and from each place to the one before it in its cell. */
  readonly #heads = new Int16Array(cellCount)
  readonly #next = new Int16Array(colorsMax)
  #size = 0

  constructor(colors: Iterable<number>) {
    for (const color of colors) this.add(color)
  }

  get colors(): readonly number[] {
    return [...this.#colors.subarray(0, this.#size)]
  }

  get isFull(): boolean {
    return this.#size === colorsMax
  }

  /** The place of the new colour. */
  add(color: number): number {
    const place = this.#size++
    const cell = cellOf(color)
    this.#colors[place] = color
    this.#next[place] = this.#heads[cell] as number
    this.#heads[cell] = place + 1
    return place
  }

  /** The place of the nearest colour, -1 when none is within so many squared steps, at most `squaredReach`. */
  findNear(color: number, squaredMax: number): number {
    const heads = this.#heads
    const colors = this.#colors
    const next = this.#next
    const cell = cellOf(color)
    let nearest = -1
    let least = squaredMax + 1
    for (let i = 0; i < 27; i++)
      for (let at = heads[cell + (neighbours[i] as number)] as number; at > 0; at = next[at - 1] as number) {
        const steps = squaredSteps(color, colors[at - 1] as number)
        if (steps >= least) continue
        least = steps
        nearest = at - 1
      }
    return nearest
  }
}

function cellOf(color: number): number {
  const [red, green, blue] = [(color >> 20) & 15, (color >> 12) & 15, (color >> 4) & 15]
  return ((red + 1) * side + green + 1) * side + blue + 1
}
