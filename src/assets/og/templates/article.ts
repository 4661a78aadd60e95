import { formatted, integer, text } from '../../../lib/fields.ts'
import { defineTemplate, face } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import { dateIn, readingTimeIn } from './dates.ts'

export const article = defineTemplate({
  about: 'a text with its author, date and reading time',
  area: 'usual',
  parameters: {
    face,
    role: text(0, 60, parameterTexts.article.role),
    date: formatted('iso-date', parameterTexts.article.date),
    minutes: integer(1, 999, parameterTexts.article.minutes),
  },
  roles: {
    date: { parameter: 'date', style: ({ eyebrow }) => eyebrow },
    minutes: { parameter: 'minutes', style: ({ eyebrow }) => eyebrow },
    role: { parameter: 'role', style: ({ author }) => ({ ...author, weight: 400 }) },
  },
  details: ['date', 'minutes'],
  byline: { second: 'role', hasFace: true },
  texts: ({ role, date, minutes }, lang) => ({
    role,
    date: date && dateIn(lang, date),
    minutes: minutes === undefined ? undefined : readingTimeIn(lang, minutes),
  }),
})
