/** @jsxImportSource #jsx */

import { uploadedLogo } from '../../src/assets/og/brand/logo-rules.ts'
import { uploadedPictureTypes } from '../../src/assets/og/brand/read-picture.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import { themeNames, usualTheme } from '../../src/assets/og/themes.ts'
import type { BrandTextField } from '../../src/brands/brand-form.ts'
import { uploadBytesMax } from '../../src/brands/read-uploads.ts'
import { opaqueColor } from '../../src/lib/css-color.ts'
import { formatBytes } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { acceptedFiles, formatLabels } from '../../src/raster/picture-formats.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { type BrandField, type BrandFormState, fieldLabels } from '../data/brand-fields.ts'

/** All fields of a brand's form, in groups. @param isNew whether the slug can still be chosen */
export function brandFields(form: BrandFormState, isNew: boolean): Child {
  return [
    group('Name', [
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
    ]),
    group('Look', [
      <div>
        <div class="two">
          {choiceField(form, 'theme', themeNames, 'Default')}
          {choiceField(form, 'scheme', schemes, 'Default')}
        </div>
        <p class="hint">A URL may name others. By default the theme is {usualTheme}, in its own scheme.</p>
      </div>,
      <div class="three">
        {colorField(form, 'accent')}
        {colorField(form, 'ground')}
        {colorField(form, 'ground2')}
      </div>,
      textField(form, 'footer', { maxlength: 120, dir: 'auto', hint: 'One line at the foot of every card.' }),
    ]),
    group('Logo and picture', [
      fileField(form, 'logo', {
        accept: acceptedFiles(uploadedLogo.types),
        hint: `${formatLabels(uploadedLogo.types)}, up to 64 KiB. A logo of one colour is drawn in the ink of each card.`,
      }),
      fileField(form, 'picture', {
        accept: acceptedFiles(uploadedPictureTypes),
        hint: `${formatLabels(uploadedPictureTypes)}, up to 1 MiB and 4 megapixels. It covers the background; text keeps its contrast.`,
      }),
      textField(form, 'focus', {
        placeholder: '50,50',
        inputmode: 'numeric',
        hint: 'The point that stays visible when the picture is cropped, in percent from the left and the top: 50,30.',
      }),
    ]),
    group('Fonts', [
      fileField(form, 'titleFont', fontOptions),
      fileField(form, 'textFont', {
        ...fontOptions,
        hint: 'WOFF2, TTF or OTF, up to 2 MiB each. Ours are used for scripts and characters that they lack.',
      }),
    ]),
    group('Access', accessField(form)),
  ]
}

const fontOptions = { accept: '.woff2,.ttf,.otf,font/woff2,font/ttf,font/otf' }

/** The mistakes as links to their fields; nothing for a form without mistakes. */
export function mistakeSummary({ mistakes, problem }: BrandFormState): Child {
  const wrong = (Object.keys(fieldLabels) as BrandField[]).filter((field) => mistakes[field] !== undefined)
  if (wrong.length === 0 && problem === undefined) return undefined
  return (
    <div class="note warn" role="alert" id="mistakes" tabindex="-1" autofocus>
      <h2>Not saved</h2>
      {problem !== undefined && <p>{problem}</p>}
      {wrong.length > 0 && (
        <ul class="names">
          {wrong.map((field) => (
            <li>
              <a href={`#${field}`}>{sentence(field, mistakes[field] ?? '')}</a>
            </li>
          ))}
        </ul>
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

/** A field with its label, its hint and its mistake, which screen readers read with it. */
function labelled(
  { mistakes }: BrandFormState,
  field: BrandField,
  control: (attributes: Readonly<Record<string, string>>) => Child,
  hint?: string,
): Markup {
  const mistake = mistakes[field]
  const described = [hint && `${field}-hint`, mistake && `${field}-problem`].filter(Boolean).join(' ')
  return (
    <div data-field={field}>
      <label for={field}>{fieldLabels[field]}</label>
      {control({
        id: field,
        name: field,
        ...(described && { 'aria-describedby': described }),
        ...(mistake && { 'aria-invalid': 'true' }),
      })}
      {mistake && (
        <p class="problem" id={`${field}-problem`}>
          {sentence(field, mistake)}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${field}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

function sentence(field: BrandField, mistake: string): string {
  return `${fieldLabels[field]} ${mistake}.`
}

function textField(
  form: BrandFormState,
  field: BrandTextField,
  {
    hint,
    ...attributes
  }: { readonly hint?: string; readonly [attribute: string]: string | number | boolean | undefined },
): Markup {
  return labelled(
    form,
    field,
    (common) => (
      <input
        {...common}
        value={form.texts[field] ?? ''}
        autocomplete="off"
        spellcheck="false"
        {...attributes}
      />
    ),
    hint,
  )
}

function choiceField(
  form: BrandFormState,
  field: BrandTextField,
  values: readonly string[],
  whenEmpty: string,
): Markup {
  const current = form.texts[field] ?? ''
  return labelled(form, field, (common) => (
    <select {...common}>
      <option value="">{whenEmpty}</option>
      {values.map((value) => (
        <option value={value} selected={value === current}>
          {value.charAt(0).toUpperCase() + value.slice(1)}
        </option>
      ))}
    </select>
  ))
}

/** A colour as hex digits. The swatch beside it is the browser's chooser, which the script connects. */
function colorField(form: BrandFormState, field: BrandTextField): Markup {
  const value = form.texts[field] ?? ''
  return labelled(form, field, (common) => (
    <span class="color">
      <input
        {...common}
        value={value}
        placeholder="auto"
        maxlength={80}
        autocomplete="off"
        spellcheck="false"
      />
      <input
        type="color"
        data-color={field}
        value={hexOf(value)}
        aria-label={`${fieldLabels[field]}: choose a colour`}
      />
    </span>
  ))
}

function hexOf(typed: string): string {
  return opaqueColor(typed) ?? '#808080'
}

function fileField(
  form: BrandFormState,
  field: BrandFileField,
  { accept, hint }: { readonly accept: string; readonly hint?: string },
): Markup {
  const shown = form.files[field]
  const isRemoved = form.removed.includes(field)
  const control = (common: Readonly<Record<string, string>>) => [
    <input {...common} type="file" accept={accept} data-bytes-max={uploadBytesMax[field]} />,
    shown && (
      <p class="file">
        <span class="words">
          {shown.name} <span class="muted">{formatBytes(shown.bytes)}</span>
          {shown.keptToken !== undefined && <span class="pill warn">not saved yet</span>}
        </span>
        {shown.keptToken !== undefined && (
          <input type="hidden" name={`kept-${field}`} value={shown.keptToken} />
        )}
        <label class="tick">
          <input type="checkbox" name="remove" value={field} checked={isRemoved} /> Remove
        </label>
      </p>
    ),
  ]
  return labelled(form, field, control, hint)
}

function accessField(form: BrandFormState): Markup {
  const { mistakes, texts } = form
  const current = texts.access === 'keys' ? 'keys' : 'everyone'
  const choices = [
    ['everyone', 'Everyone', 'Any call may name this brand.'],
    ['keys', 'Chosen keys', 'Only keys that are allowed to. The page of each key has the list.'],
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
