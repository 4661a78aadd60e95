/** @jsxImportSource #jsx */
import { schemes } from '../../src/assets/og/theme.ts'
import { themeNames, usualTheme } from '../../src/assets/og/themes.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { type BrandField, type BrandFormState, colorFields, fieldLabels } from '../data/brand-fields.ts'
import type { DrawnBrand } from '../data/brand-previews.ts'
import { contrastNote } from './brand-contrast.tsx'
import { choiceField, colorField, sentence, textField } from './brand-controls.tsx'
import { fontField, logoField, pictureField } from './brand-files.tsx'

/**
 * All fields of a brand's form, in groups.
 * @param drawn thumbnails of its files, colours of its logo and contrasts
 * @param isNew whether the slug can still be chosen
 */
export function brandFields(form: BrandFormState, drawn: DrawnBrand, isNew: boolean): Child {
  return [
    group('Name', nameFields(form, isNew)),
    group('Look', lookFields(form, drawn)),
    group('Logo and picture', [
      logoField(form, drawn.logos),
      pictureField(form, drawn.picture),
      textField(form, 'focus', {
        placeholder: '50,50',
        inputmode: 'numeric',
        hint: [
          'The point that stays visible when the picture is cropped, in percent from the left and the top: 50,30.',
          <span class="scripted"> Click the picture, or move its point with the arrow keys.</span>,
        ],
      }),
    ]),
    group('Fonts', [
      fontField(form, 'titleFont', drawn.titleFont),
      fontField(form, 'textFont', drawn.textFont, 'Ours are used for scripts and characters that they lack.'),
    ]),
    group('Access', accessField(form)),
  ]
}

function nameFields(form: BrandFormState, isNew: boolean): Child {
  return [
    textField(form, 'name', { required: true, maxlength: 80, dir: 'auto' }),
    isNew ? (
      textField(form, 'slug', {
        required: true,
        maxlength: 40,
        pattern: '[a-z0-9]([a-z0-9\\-]{0,38}[a-z0-9])?',
        hint: 'Used in URLs, as brand=slug. It can’t be changed later.',
      })
    ) : (
      <input type="hidden" name="slug" value={form.texts.slug ?? ''} />
    ),
  ]
}

function lookFields(form: BrandFormState, { colors, contrasts }: DrawnBrand): Child {
  return [
    <div>
      <div class="two">
        {choiceField(form, 'theme', themeNames, 'Default')}
        {choiceField(form, 'scheme', schemes, 'Default')}
      </div>
      <p class="hint">A URL may name others. By default the theme is {usualTheme}, in its own scheme.</p>
    </div>,
    <div class="three">{colorFields.map((field) => colorField(form, field, colors))}</div>,
    contrastNote(contrasts, form.texts.ground),
    textField(form, 'footer', { maxlength: 120, dir: 'auto', hint: 'One line at the foot of every card.' }),
  ]
}

/** Links to the fields that are wrong, each of which tells its own mistake, and what no field that is shown could tell. */
export function mistakeSummary({ mistakes, problem, revision }: BrandFormState): Child {
  const isSlugHidden = revision > 0
  const wrong = (Object.keys(fieldLabels) as BrandField[]).filter(
    (field) => mistakes[field] !== undefined && !(field === 'slug' && isSlugHidden),
  )
  const slugMistake = isSlugHidden ? mistakes.slug : undefined
  if (wrong.length === 0 && problem === undefined && slugMistake === undefined) return undefined
  return (
    <div class="note warn" role="alert" id="mistakes" tabindex="-1" autofocus>
      <h2>Not saved</h2>
      {problem !== undefined && <p>{problem}</p>}
      {slugMistake !== undefined && <p>{sentence('slug', slugMistake)}</p>}
      {wrong.length > 0 && (
        <p>
          {wrong.length === 1 ? 'One field has a mistake: ' : `${wrong.length} fields have mistakes: `}
          {wrong.map((field, index) => [index > 0 && ', ', <a href={`#${field}`}>{fieldLabels[field]}</a>])}.
        </p>
      )}
    </div>
  )
}

function group(title: string, children: Child): Markup {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

function accessField(form: BrandFormState): Markup {
  const { mistakes, texts } = form
  const current = texts.access === 'keys' ? 'keys' : 'everyone'
  const choices = [
    ['everyone', 'Everyone', 'Any call may name this brand.'],
    ['keys', 'Restricted', 'Only keys that you allow, on the page of each key.'],
  ] as const
  return (
    <div data-field="access" id="access" role="radiogroup" aria-label={fieldLabels.access}>
      {choices.map(([value, label, hint]) => (
        <label class="choice">
          <input type="radio" name="access" value={value} checked={value === current} />
          <span>
            {label} <span class="hint">{hint}</span>
          </span>
        </label>
      ))}
      {mistakes.access !== undefined && <p class="problem">{sentence('access', mistakes.access)}</p>}
    </div>
  )
}
