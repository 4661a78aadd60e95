import { formatted } from '../../../lib/fields.ts'
import { defineTemplate } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import { statsOf } from './forms.ts'

export const stats = defineTemplate({
  about: 'one to three numbers',
  area: 'usual',
  parameters: {
    stats: formatted('stats', parameterTexts.stats.stats),
  },
  required: 'stats',
  headline: 'stats',
  roles: {
    stats: {
      parameter: 'stats',
      style: ({ title, numbers = { ...title, weight: Math.max(title.weight, 700) } }) => numbers,
    },
    labels: { parameter: 'stats', style: ({ subtitle }) => subtitle, isSilent: true },
  },
  texts({ stats: given = '' }) {
    const all = statsOf(given) ?? []
    return {
      stats: all.map(({ value, label }) => (label === undefined ? value : `${value} ${label}`)).join(' · '),
      labels: all.flatMap(({ label }) => label ?? []).join(' · '),
    }
  },
  load: () => import('./stats-drawing.ts'),
})
