import type { Axis } from './lines.ts'

interface LinearAxis {
  readonly title: string
  readonly valueMax: number
  /** About so many, at round values. */
  readonly tickCount: number
  /** Behind each number. */
  readonly unit?: string
  /** The axis ends at the largest value; else at the round one beyond it. */
  readonly isTight?: boolean
}

/** From 0. */
export function linearAxis({ title, valueMax, tickCount, unit = '', isTight = false }: LinearAxis): Axis {
  const step = roundStep(valueMax / tickCount)
  const end = isTight ? valueMax : Math.ceil(valueMax / step) * step
  return {
    title,
    shareOf: (value) => value / end,
    ticks: Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => {
      const value = index * step
      return { value, label: `${Number(value.toPrecision(6)).toLocaleString('en')}${unit}` }
    }),
  }
}

/** Powers of ten between two of them. */
export function decadeAxis(
  title: string,
  from: number,
  to: number,
  labelOf: (value: number) => string,
): Axis {
  const [low, high] = [Math.floor(Math.log10(from) + 1e-9), Math.ceil(Math.log10(to) - 1e-9)]
  return {
    title,
    shareOf: (value) => (Math.log10(value) - low) / (high - low),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => {
      const value = 10 ** (low + index)
      return { value, label: labelOf(value) }
    }),
  }
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10)
}
