import { type TOptional, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { choice, formatted, integer, text } from '../../lib/fields.ts'
import { memo, weakMemo } from '../../lib/memo.ts'
import type { TextStyle } from '../../text/types.ts'
import type { ThemeStyles } from './canvas.ts'
import { defineTemplate, face, type Template } from './engine/contracts.ts'
import parameterTexts from './parameter-texts.json' with { type: 'json' }
import languages from './templates/code-languages.json' with { type: 'json' }
import { dateIn, leafIn, readingTimeIn } from './templates/dates.ts'
import { type Moment, momentOf, statsOf, untilDaysMax } from './templates/forms.ts'
import { quote } from './templates/quote.ts'
import { release } from './templates/release.ts'

const stats = defineTemplate({
  about: 'one to three numbers',
  parameters: { stats: formatted('stats', parameterTexts.stats.stats) },
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
  load: () => import('./templates/stats-drawing.ts'),
})

const article = defineTemplate({
  about: 'a text with its author, date and reading time',
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

const names = Object.keys(languages)
const shortNames = ['js', 'jsx', 'ts', 'tsx', 'py', 'rb', 'rs', 'cs', 'kt', 'sh', 'bash', 'yml']

const code = defineTemplate({
  about: 'lines of code in colours',
  area: 'code',
  parameters: {
    code: {
      ...formatted('code', parameterTexts.code.code),
      variants: {
        parameter: 'overflow',
        fields: { ellipsis: formatted('long-code', parameterTexts.code.long) },
      },
    },
    language: choice([...names, ...shortNames], parameterTexts.code.language),
    file: text(0, 60, parameterTexts.code.file),
  },
  required: 'code',
  byline: { second: 'file' },
  roles: {
    code: { parameter: 'code', style: ({ code = { family: 'mono', weight: 500 } }) => code },
    file: { parameter: 'file', style: () => ({ family: 'mono', weight: 500 }) },
  },
  texts: ({ code, file }) => ({ code, file }),
  load: () => import('./templates/code-drawing.ts'),
})

const event = defineTemplate({
  about: 'an event with its day, place and time',
  parameters: {
    date: formatted('event-time', parameterTexts.event.date),
    place: text(0, 80, parameterTexts.event.place),
    until: formatted('event-time', {
      description: `The end of the event, at most ${untilDaysMax} days later`,
    }),
  },
  required: 'date',
  roles: {
    when: { parameter: 'date', style: ({ subtitle }) => subtitle },
    date: { parameter: 'date', style: leafStyle, isSilent: true },
    until: { parameter: 'until', style: leafStyle, isSilent: true },
    place: { parameter: 'place', style: ({ subtitle }) => subtitle },
    time: { parameter: 'date', style: ({ subtitle }) => subtitle },
  },
  rule({ date, until }) {
    const [start, end] = [momentOf(String(date)), momentOf(String(until))]
    if (start === undefined || end === undefined) return undefined
    const isWholeDay = start.time === undefined || end.time === undefined
    const isBefore = isWholeDay ? end.day < start.day : end.ms < start.ms
    if (isBefore) return { parameter: 'until', message: 'must not be before date' }
    const isLate = end.ms - start.ms > untilDaysMax * 86_400_000
    return isLate ? { parameter: 'until', message: `must be within ${untilDaysMax} days of date` } : undefined
  },
  texts({ date = '', place, until = '' }, lang) {
    const [start, end] = [momentOf(date), momentOf(until)]
    if (start === undefined) return {}
    const [first, last] = [leafIn(lang, start.day), leafIn(lang, end?.day ?? start.day)]
    const isOneMonth = first.month === last.month && first.year === last.year
    const days = first.day === last.day || !isOneMonth ? first.day : `${first.day}–${last.day}`
    const hasMore = end !== undefined && end.day !== start.day
    return {
      when: `${dateIn(lang, start.day)}${hasMore ? ` – ${dateIn(lang, end.day)}` : ''}`,
      date: `${first.month} ${days} ${first.year}`,
      until: isOneMonth ? undefined : `${last.month} ${last.day} ${last.year}`,
      place,
      time: timeOf(start, hasMore ? undefined : end),
    }
  },
  load: () => import('./templates/event-drawing.ts'),
})

/** Time and zone as they are written, and the end of an event of one day. */
function timeOf(start: Moment, end: Moment | undefined): string | undefined {
  if (start.time === undefined) return undefined
  if (end?.time === undefined || end.ms <= start.ms) return `${start.time} ${zoneOf(start)}`
  const zone = end.zone === start.zone ? '' : ` ${zoneOf(start)}`
  return `${start.time}${zone}–${end.time} ${zoneOf(end)}`
}

function zoneOf({ zone }: Moment): string {
  return zone === 'Z' ? 'UTC' : (zone ?? '')
}

function leafStyle({ title }: { readonly title: TextStyle }): TextStyle {
  return { family: title.family === 'serif-italic' ? 'serif' : title.family, weight: 700, trackingUnits: -10 }
}

const photo = defineTemplate({
  about: 'a picture to all edges, with words at its foot',
  area: 'picture',
  parameters: {},
  roles: {},
  texts: () => ({}),
  draw(stage) {
    const { boxes } = stage
    stage.setTexts({ boxes: { ...boxes, text: { ...boxes.text, anchor: 1 } } })
  },
})

const profile = defineTemplate({
  about: 'one person or project',
  parameters: { face, role: text(0, 60, parameterTexts.profile.role), stats: stats.parameters.stats },
  roles: {
    role: { parameter: 'role', style: ({ author }) => ({ ...author, weight: Math.min(author.weight, 500) }) },
    ...stats.roles,
  },
  texts: ({ role, stats: given }, lang) => ({ role, ...stats.texts({ stats: given }, lang) }),
  load: () => import('./templates/profile-drawing.ts'),
})

/** Every template besides the usual card, in the order in which documents list them. A new one is defined above, or in `templates/`. */
const templates = { article, release, quote, code, event, stats, profile, photo }

type Templates = typeof templates

export const usualTemplate = 'standard'

export type TemplateName = typeof usualTemplate | keyof Templates

export const templateNames = [usualTemplate, ...Object.keys(templates)] as readonly TemplateName[]

const byName = new Map<string, Template>(Object.entries(templates))

/** The template of a name; undefined for the usual card. */
export function templateOf(name: unknown): Template | undefined {
  return byName.get(String(name))
}

const drawings = new Map<string, Pick<Template, 'draw'>>()

export async function loadDrawing(name: unknown): Promise<void> {
  const load = templateOf(name)?.load
  if (load !== undefined && !drawings.has(String(name))) drawings.set(String(name), await load())
}

/** The drawing of a template that is loaded; undefined where eyebrow, title and subtitle are all. */
export function drawingOf(name: unknown): Template['draw'] {
  return templateOf(name)?.draw ?? drawings.get(String(name))?.draw
}

/** Every role that a text of a template has, with the parameter that it comes from. */
export const templateRoles: readonly (readonly [role: string, parameter: string])[] = [
  ...new Map(
    [...byName.values()].flatMap(({ roles }) =>
      Object.entries(roles).map(([role, { parameter }]) => [role, parameter] as const),
    ),
  ),
]

const parameterNames = new Set([...byName.values()].flatMap(({ parameters }) => Object.keys(parameters)))

/** The parameters of templates, without those of every card that some read otherwise. */
export const templateParameters: readonly string[] = [...parameterNames].filter((name) => name !== 'title')

type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type OwnFields = Together<Templates[keyof Templates]['parameters']>

/** The parameters of all templates; those that other cards have too are read otherwise with their templates. */
export function withTemplates<Fields extends TProperties>(usual: Fields) {
  const own = [...parameterNames].map((name): [string, TSchema] => {
    const fields = Object.fromEntries(
      [...byName].flatMap(([template, { parameters }]) => {
        const field = parameters[name]
        return field === undefined ? [] : [[template, field]]
      }),
    )
    const requiredWith = [...byName].flatMap(([template, { required }]) =>
      required === name ? template : [],
    )
    const variants = { parameter: 'template', fields, requiredWith }
    const shared = usual[name]
    if (shared !== undefined) return [name, { ...shared, variants }]
    // The last one has the widest form: that of a date takes a time as well.
    const { isRequired: _, ...widest }: TSchema = Object.values(fields).at(-1) ?? Type.String()
    const description = `${widest['description']} (${Object.keys(fields).join(', ')})`
    const own = { ...variants, ignoredWith: usualTemplate }
    return [name, Type.Optional({ ...(widest as TSchema), description, variants: own })]
  })
  const template = Type.Optional(
    choice(templateNames, { ...parameterTexts.template, whenMissing: usualTemplate }),
  )
  const all = { ...usual, template, ...Object.fromEntries(own) }
  return all as typeof all & { [Name in Exclude<keyof OwnFields, keyof Fields>]: TOptional<OwnFields[Name]> }
}

/** The styles of a theme with those of a template's roles. The text engine knows a style by its object, so each is made once. */
export function stylesWith(styles: ThemeStyles, template: Template | undefined): ThemeStyles {
  return template === undefined ? styles : templateStyles(styles)(template)
}

const templateStyles = weakMemo((styles: ThemeStyles) =>
  memo(({ roles }: Template): ThemeStyles => {
    const own = Object.entries(roles).map(([role, { style }]) => [role, style(styles)] as const)
    return { ...styles, ...Object.fromEntries(own) }
  }),
)
