import { type TOptional, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { choice } from '../../lib/fields.ts'
import { memo, weakMemo } from '../../lib/memo.ts'
import type { ThemeStyles } from './canvas.ts'
import type { Drawing, Template } from './engine/contracts.ts'
import parameterTexts from './parameter-texts.json' with { type: 'json' }
import { article } from './templates/article.ts'
import { code } from './templates/code.ts'
import { event } from './templates/event.ts'
import { photo } from './templates/photo.ts'
import { profile } from './templates/profile.ts'
import { quote } from './templates/quote.ts'
import { release } from './templates/release.ts'
import { stats } from './templates/stats.ts'

/** Every template besides the usual card, in the order in which documents list them. A new one is a file in `templates/` and its line here. */
const templates = {
  article,
  release,
  quote,
  code,
  event,
  stats,
  profile,
  photo,
} satisfies Readonly<Record<string, Template>>

type Templates = typeof templates

export const usualTemplate = 'standard'

export type TemplateName = typeof usualTemplate | keyof Templates

export const templateNames = [usualTemplate, ...Object.keys(templates)] as readonly TemplateName[]

const byName = new Map<string, Template>(Object.entries(templates))

/** The template of a name; undefined for the usual card. */
export function templateOf(name: unknown): Template | undefined {
  return byName.get(String(name))
}

const drawings = new Map<string, Drawing>()

export async function loadDrawing(name: unknown): Promise<void> {
  const load = templateOf(name)?.load
  if (load !== undefined && !drawings.has(String(name))) drawings.set(String(name), await load())
}

/** The drawing of a template that is loaded; undefined where eyebrow, title and subtitle are all. */
export function drawingOf(name: unknown): Drawing['draw'] | undefined {
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
