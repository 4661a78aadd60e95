/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { chart } from '../../src/site/parts/chart.tsx'
import type { PeriodName, RequestPeriods } from '../data/request-periods.ts'
import { segments } from './buttons.tsx'

const choices: Readonly<Record<PeriodName, { readonly label: string; readonly title: string }>> = {
  hour: { label: '24 h', title: 'Requests per hour' },
  day: { label: '30 d', title: 'Requests per day' },
  month: { label: '12 mo', title: 'Requests per month' },
}

/** The requests by outcome, with links to the page by hour, day and month. */
export function requestChart(current: PeriodName, { chart: input }: RequestPeriods, path: string): Markup {
  const links = Object.entries(choices).map(([name, { label }]) => ({
    href: `${path}?by=${name}`,
    label,
    isCurrent: name === current,
  }))
  return chart({ ...input, title: choices[current].title, actions: segments('Range', links) })
}
