/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { capitalized } from '../../lib/texts.ts'
import { pictureFormatNames, pictureFormats } from '../../raster/picture-formats.ts'
import { siteAssets } from '../assets.ts'
import { copyButton } from '../parts/elements.tsx'
import { icon } from '../parts/icons.tsx'
import { picturePath } from '../pictures.ts'
import type { ChoicePicture } from '../sample-pictures.ts'
import {
  type AssetForm,
  type Control,
  canShuffle,
  type Field,
  fieldProblems,
  shuffleAddress,
  tabAddress,
} from './form.ts'
import { type ResultPanelInput, resultPanel } from './result-panel.tsx'

export interface PlaygroundInput extends ResultPanelInput {
  readonly forms: readonly AssetForm[]
}

/** The form with its result. Complete without JavaScript: sending the form shows the result on the next page. */
export function playground(input: PlaygroundInput): Markup {
  const { forms, state, result } = input
  const { form, values, isExample } = state
  const problems = result.type === 'problem' ? fieldProblems(result.problem, form) : {}
  function fields(row: AssetForm['more']) {
    return row.map((field) => control(field, values[field.name] ?? '', problems[field.name]))
  }
  const isMoreUsed = !isExample && form.more.some(({ name, fallback }) => values[name] !== fallback)
  return (
    <div id="play">
      <form
        class="card play"
        action="/#play"
        method="get"
        data-waits={form.waits}
        data-follow={form.hasProgress}
        data-more={siteAssets.path('card.js')}
      >
        <nav class="kinds tabs" aria-label="Asset">
          {forms.map(({ id, title }) => (
            <a href={tabAddress(id)} aria-current={id === form.id && 'page'}>
              {title}
            </a>
          ))}
        </nav>
        <div class="fields">
          <input type="hidden" name="kind" value={form.id} />
          {/* Enter presses the first button of a form, which would be a swatch. */}
          <button class="vh" type="submit" tabindex="-1" aria-hidden="true" />
          {form.rows.map((row) => (row.length === 1 ? fields(row) : <div class="two">{fields(row)}</div>))}
          {form.more.length > 0 && (
            <details class="more" open={isMoreUsed}>
              <summary>More parameters</summary>
              <div class="two">{fields(form.more)}</div>
            </details>
          )}
          <div class="actions row">
            <button class="btn primary" type="submit">
              {form.waits ? 'Fetch' : 'Update preview'}
            </button>
            {canShuffle(form) && (
              <a class="btn" href={shuffleAddress(form)} rel="nofollow" data-shuffle>
                {icon('shuffle')}
                Shuffle
              </a>
            )}
          </div>
          <p class="hint">
            {form.asset.query.properties['title'] !== undefined && (
              <span class="js-only">Click the card to edit its texts. </span>
            )}
            Previews here are free and don’t use the demo quota.
          </p>
        </div>
        {resultPanel(input)}
      </form>
      <nav aria-label="Your last cards" data-last hidden />
      {signSection(form)}
    </div>
  )
}

/** Signs the address of the shown asset in the browser. The id and the secret are sent nowhere. */
function signSection({ asset }: AssetForm): Child {
  if (asset.priceMicros === undefined) return undefined
  return (
    <details class="card fold sign js-only">
      <summary>
        Sign this URL in your browser <span class="hint">valid for as long as the key</span>
      </summary>
      <form id="sign" autocomplete="off">
        <label>
          Key id
          <input data-sign="key" placeholder="mk_…" spellcheck="false" autocomplete="off" required />
        </label>
        <label>
          Secret
          <input data-sign="secret" type="password" autocomplete="off" required />
        </label>
        <button class="btn" type="submit">
          Sign
        </button>
        <p class="hint">
          The signature is computed by this page with WebCrypto. Neither the id nor the secret is sent or
          stored. <a href="/docs#keys">Get a key</a>
        </p>
        <pre hidden tabindex="0" role="region" aria-label="Signed URL" />
        {copyButton({ hidden: true }, <span>Copy URL</span>)}
      </form>
    </details>
  )
}

type ControlOf<Type extends Control['type']> = Extract<Control, { readonly type: Type }>

function control(field: Field, value: string, problem: string | undefined): Markup {
  const { name, label } = field
  const problemId = `problem-${name}`
  const state = problem ? { 'aria-invalid': 'true', 'aria-describedby': problemId } : {}
  return (
    <div class="field" id={`field-${name}`}>
      {labelledInput(field, value, state)}
      {problem && (
        <p class="problem" id={problemId}>
          {label} {problem}.
        </p>
      )}
    </div>
  )
}

function labelledInput(field: Field, value: string, state: object): Child {
  const { label, description, control: kind } = field
  const byDefault = hasDefault(field) && radio(field, '', value, 'Default')
  switch (kind.type) {
    case 'segments': {
      const radios = kind.values.map((one) => radio(field, one, value, choiceText(one)))
      return choiceSet(field, <div class="seg">{[byDefault, radios]}</div>)
    }
    case 'pictures':
      return choiceSet(field, [
        pictureRadios(kind, field, value),
        byDefault && <div class="none">{byDefault}</div>,
      ])
    case 'color':
      return choiceSet(field, [
        swatchButtons(kind, field, value),
        <label>
          <span class="vh">{label}: a colour of your own</span>
          {input(field, value, state)}
        </label>,
      ])
    default: {
      const limit = kind.type === 'text' ? kind.maxLength : undefined
      return (
        <label title={description}>
          {limit !== undefined && limit <= 200 && (
            <span class="left">
              {[...value].length}/{limit}
            </span>
          )}
          {label}
          {input(field, value, state)}
        </label>
      )
    }
  }
}

function input(field: Field, value: string, state: object): Child {
  const { name, required, whenMissing, control: kind } = field
  switch (kind.type) {
    case 'choice':
      return (
        <select name={name} {...state}>
          {hasDefault(field) && (
            <option value="" title={whenMissing}>
              Default
            </option>
          )}
          {kind.values.map((one) => (
            <option value={one} selected={one === value}>
              {choiceText(one)}
            </option>
          ))}
        </select>
      )
    case 'lines':
      return (
        <textarea name={name} rows="6" spellcheck="false" {...state}>
          {value}
        </textarea>
      )
    default:
      return (
        <input
          name={name}
          value={value}
          placeholder={whenMissing}
          {...(kind.type === 'number'
            ? { type: 'number', min: kind.minimum, max: kind.maximum, step: kind.step }
            : { type: kind.type === 'url' ? 'url' : 'text', required, ...plainText })}
          data-max={kind.type === 'text' && kind.maxLength}
          {...state}
        />
      )
  }
}

const plainText = { dir: 'auto', autocomplete: 'off', spellcheck: 'false' }

function choiceSet({ label, description }: Field, children: Child): Markup {
  return (
    <fieldset class="choice" title={description}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}

function pictureRadios({ values, choice }: ControlOf<'pictures'>, field: Field, value: string): Markup {
  return (
    <div class={`pics is-${choice.parameter} of-${choice.assetIds[0]}`}>
      {values.map((one) =>
        radio(field, one, value, [
          choice.pictures.filter((picture) => picture.value === one).map(thumbnail),
          <span>{choiceText(one)}</span>,
        ]),
      )}
    </div>
  )
}

/** Decoration: the name of the value is beside it. */
function thumbnail(picture: ChoicePicture): Markup {
  const { size, scheme } = picture
  return (
    <img
      src={picturePath(picture)}
      width={size?.widthPx}
      height={size?.heightPx ?? 20}
      class={scheme && `is-${scheme}`}
      alt=""
      loading="lazy"
    />
  )
}

/** A swatch sends the form with its colour, so that one press is enough where no script runs. */
function swatchButtons({ swatches }: ControlOf<'color'>, { name }: Field, current: string): Child {
  function button(value: string, content: Child, title?: string): Markup {
    const label = { 'aria-label': title, title }
    return (
      <button type="submit" name={name} value={value} aria-pressed={String(value === current)} {...label}>
        {content}
      </button>
    )
  }
  const buttons = swatches.map(({ value, color, name: title }) =>
    button(
      value,
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="9" fill={color} />
      </svg>,
      title,
    ),
  )
  return [<div class="none">{button('', 'Default')}</div>, <div class="swatches">{buttons}</div>]
}

function hasDefault({ fallback, required }: Field): boolean {
  return fallback === '' && !required
}

function radio({ name }: Field, one: string, value: string, label: Child): Markup {
  return (
    <label>
      <input type="radio" name={name} value={one} checked={one === value} />
      {label}
    </label>
  )
}

const initialisms = new Set(['json', 'og'])
const spellings: ReadonlyMap<string, string> = new Map([
  ...pictureFormatNames.map((name) => [name, pictureFormats[name].label] as const),
  ['github', 'GitHub'],
  ['true', 'Yes'],
  ['false', 'No'],
])

function choiceText(value: string): string {
  if (initialisms.has(value)) return value.toUpperCase()
  return spellings.get(value) ?? capitalized(value.replaceAll(/[-_]/g, ' '))
}
