/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'

/** A small line chart for a table's cell. */
export function sparkline(values: readonly number[]): Markup {
  const top = Math.max(1, ...values)
  const step = 100 / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${fixed(index * step)} ${fixed(23 - (value / top) * 21)}`)
  const line = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('')
  return (
    <svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`${line}L100 24L0 24z`} />
      <path d={line} />
    </svg>
  )
}

function fixed(value: number) {
  return Number(value.toFixed(1))
}
