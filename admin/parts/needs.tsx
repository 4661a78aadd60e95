/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import {
  type Concern,
  type ConcernKind,
  keyEndSoonDays,
  quotaPercentSoon,
  subjectsMax,
} from '../../src/operator/concern.ts'
import { panel } from './cards.tsx'
import { pill } from './pill.tsx'

/** Up to this many things of a kind have a line each; more are one line. */
const linesMax = 4

interface Need extends Pick<Concern, 'level' | 'text' | 'path'> {}

interface ManyText {
  readonly text: (count: string, level: Concern['level']) => string
  readonly path: (level: Concern['level']) => string
}

/** One sentence for many things of a kind, and the list that has them. */
const manyTexts: Partial<Readonly<Record<ConcernKind, ManyText>>> = {
  key_quota: {
    text: (count, level) =>
      level === 'now'
        ? `${count} keys have used up their calls of today.`
        : `${count} keys have used ${quotaPercentSoon} % or more of their calls of today.`,
    path: (level) => (level === 'now' ? '/admin/keys?status=exhausted' : '/admin/keys?sort=used'),
  },
  key_end: {
    text: (count) => `${count} keys end within ${keyEndSoonDays} days.`,
    path: () => '/admin/keys?status=ending',
  },
  payment_in_doubt: {
    text: (count) => `${count} payments are in doubt.`,
    path: () => '/admin/payments?state=submitted',
  },
}

/** Everything that waits for the operator, each line a link to where it is solved. */
export function needsPanel(concerns: readonly Concern[]): Markup {
  const needs = [...Map.groupBy(concerns, ({ kind, level }) => `${kind} ${level}`).values()].flatMap(grouped)
  if (needs.length === 0)
    return panel('Needs you', <p class="muted small">Nothing needs you.</p>, pill('All well', 'ok'))
  return panel(
    'Needs you',
    <ul class="needs">
      {needs.map(({ level, text, path }) => (
        <li>
          {level === 'now' ? pill('Now', 'bad') : pill('Soon', 'warn')}
          <a href={path}>{text}</a>
        </li>
      ))}
    </ul>,
  )
}

function grouped(concerns: readonly Concern[]): readonly Need[] {
  const [first] = concerns
  if (first === undefined || concerns.length <= linesMax) return concerns
  const many = manyTexts[first.kind]
  if (many === undefined) return concerns
  const { level } = first
  const count = concerns.length < subjectsMax ? formatCount(concerns.length) : `${subjectsMax} or more`
  return [{ level, text: many.text(count, level), path: many.path(level) }]
}
