import { text } from '../../../lib/fields.ts'
import { defineTemplate, face } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import { stats } from './stats.ts'

export const profile = defineTemplate({
  about: 'one person or project',
  area: 'large',
  parameters: {
    face,
    role: text(0, 60, parameterTexts.profile.role),
    stats: stats.parameters.stats,
  },
  roles: {
    role: { parameter: 'role', style: ({ author }) => ({ ...author, weight: Math.min(author.weight, 500) }) },
    ...stats.roles,
  },
  texts: ({ role, stats: given }, lang) => ({ role, ...stats.texts({ stats: given }, lang) }),
  load: () => import('./profile-drawing.ts'),
})
