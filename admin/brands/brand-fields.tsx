/** @jsxImportSource #jsx */
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import { uploadedLogo, uploadedPicture } from '../../src/assets/og/brand/read-upload.ts'
import { logoColors } from '../../src/assets/og/logo/logo-paint.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import { usualTheme } from '../../src/assets/og/themes.ts'
import { type BrandChoice, brandChoices } from '../../src/brands/brand-form.ts'
import { uploadBytesMax } from '../../src/brands/check-form.ts'
import { opaqueColor } from '../../src/lib/color.ts'
import { choice } from '../../src/lib/fields.ts'
import { formatBinaryBytes, formatBytes } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { acceptedFiles, formatLabels } from '../../src/raster/picture-formats.ts'
import { picturePxMax } from '../../src/raster/picture-headers.ts'
import { tableHead } from '../../src/site/parts/elements.tsx'
import type { BrandFileField } from '../../src/store/brands.ts'
import { fontFormats } from '../../src/text/brand-fonts/font-limits.ts'
import { fontFormatLabels } from '../../src/text/brand-fonts/sfnt.ts'
import { type BrandPart, fontName, type SchemeContrast } from '../drawing.ts'
import { type FormField, field, labelled } from '../parts/fields.tsx'
import { type BrandField, type BrandFormState, colorFields, fieldLabels } from './brand-form.ts'

export type PictureUrl = (part: BrandPart['part'], query?: Readonly<Record<string, string>>) => string

interface Shown {
  readonly look: CardBrand
  readonly contrasts: readonly SchemeContrast[]
  readonly pictureUrl: PictureUrl
}

const colorsMax = 5

export function brandFields(form: BrandFormState, shown: Shown, isNew: boolean): Child {
  const { look, pictureUrl } = shown
  const { logo, picture } = look
  const colors = logo === undefined ? [] : logoColors(logo, colorsMax)
  function labelledField(name: BrandField, rest: Omit<FormField, 'name' | 'label'>): Markup {
    return field({ name, label: fieldLabels[name], ...rest }, textOf(form, name), mistakeOf(form, name))
  }
  function text(name: BrandField, attributes: FormField['attributes'] = {}, hint?: Child): Markup {
    return labelledField(name, { attributes, hint })
  }
  function select(name: BrandChoice, whenEmpty = 'Default'): Markup {
    return labelledField(name, { schema: choice(brandChoices[name], { description: '' }), whenEmpty })
  }
  function font(name: 'titleFont' | 'textFont', note = ''): Markup {
    const accept = fontFormats.flatMap((format) => [`.${format}`, `font/${format}`]).join(',')
    const used = look[name]
    const sample = used && (
      <img class="sample-font" src={pictureUrl(name)} alt={`${fontName(used)}, set in this font`} />
    )
    return fileField(form, name, accept, `${fontFormatLabels}, up to ${limitOf(name)}.${note}`, sample)
  }
  return [
    group('Name', [
      text('name', { required: true, maxlength: 80, dir: 'auto' }),
      isNew ? (
        text(
          'slug',
          { required: true, maxlength: 40, pattern: '[a-z0-9]([a-z0-9\\-]{0,38}[a-z0-9])?' },
          'Used in URLs, as brand=slug. It can’t be changed later.',
        )
      ) : (
        <input type="hidden" name="slug" value={form.texts.slug ?? ''} />
      ),
    ]),
    group('Look', [
      <div>
        <div class="two">{[select('theme'), select('scheme'), select('align'), select('template')]}</div>
        <p class="hint">
          A URL may name others. By default the theme is {usualTheme}, in its own scheme and alignment.
        </p>
      </div>,
      fileField(form, 'themeFile', '.yaml,.yml,.json', [
        `YAML or JSON, up to ${limitOf('themeFile')}: a theme of your own, in place of the one above. A URL may name another. `,
        !isNew && <a href={`/admin/brands/${form.texts.slug}/theme`}>Edit it as text</a>,
      ]),
      <div class="three">{colorFields.map((name) => colorField(form, name, colors))}</div>,
      contrastNote(shown.contrasts, form.texts.ground),
      <div class="two">
        {[
          text('footer', { maxlength: 120, dir: 'auto' }, 'One line on every card.'),
          select('footerInPlaceOf', 'Nothing'),
        ]}
      </div>,
    ]),
    group('Logo and picture', [
      fileField(
        form,
        'logo',
        acceptedFiles(uploadedLogo.types),
        `${formatLabels(uploadedLogo.types)}, up to ${limitOf('logo')}. A logo of one colour is drawn in the ink of each card.`,
        logo && (
          <span class="logos framed row">
            {schemes.map((scheme) => (
              <img src={pictureUrl('logo', { scheme })} alt="" />
            ))}
          </span>
        ),
      ),
      fileField(
        form,
        'picture',
        acceptedFiles(uploadedPicture.types),
        `${formatLabels(uploadedPicture.types)}, up to ${limitOf('picture')} and ${picturePxMax / 1e6} megapixels. Text keeps its contrast on it.`,
        picture && focalPoint(picture, pictureUrl('picture')),
      ),
      select('pictureLayout', 'The theme’s own'),
      text('focus', { placeholder: '50,50', inputmode: 'numeric' }, [
        'The point that stays visible when the picture is cropped, in percent from the left and the top: 50,30. It is found when a picture comes, and yours to change.',
        <span class="scripted"> Click the picture, or move its point with the arrow keys.</span>,
      ]),
    ]),
    group('Fonts', [
      font('titleFont'),
      font('textFont', ' Ours are used for scripts and characters that they lack.'),
    ]),
    group('Access', accessField(form)),
  ]
}

function textOf({ texts }: BrandFormState, name: BrandField): string {
  return (texts as Readonly<Record<string, string | undefined>>)[name] ?? ''
}

function mistakeOf({ mistakes }: BrandFormState, name: BrandField): string | undefined {
  return mistakes[name]?.map(({ message }) => sentence(name, message)).join('\n')
}

function sentence(name: BrandField, mistake: string): string {
  return `${fieldLabels[name]} ${mistake}.`
}

function limitOf(name: BrandFileField): string {
  return formatBinaryBytes(uploadBytesMax[name])
}

function group(title: string, children: Child): Markup {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

/** Links to the fields that are wrong, each of which tells its own mistake, and what no field that is shown could tell. */
export function mistakeSummary(form: BrandFormState): Child {
  const { mistakes, problem, revision } = form
  const isSlugHidden = revision > 0
  const wrong = (Object.keys(fieldLabels) as BrandField[]).filter(
    (name) => mistakes[name] !== undefined && !(name === 'slug' && isSlugHidden),
  )
  const slugMistake = isSlugHidden ? mistakeOf(form, 'slug') : undefined
  if (wrong.length === 0 && problem === undefined && slugMistake === undefined) return undefined
  return (
    <div class="note warn" role="alert" id="mistakes" tabindex="-1" autofocus>
      <h2>Not saved</h2>
      {problem !== undefined && <p>{problem}</p>}
      {slugMistake !== undefined && <p>{slugMistake}</p>}
      {wrong.length > 0 && (
        <p>
          {wrong.length === 1 ? 'One field has a mistake: ' : `${wrong.length} fields have mistakes: `}
          {wrong.map((name, index) => [index > 0 && ', ', <a href={`#${name}`}>{fieldLabels[name]}</a>])}.
        </p>
      )}
    </div>
  )
}

/** A colour as hex digits. The swatch beside it is the browser's chooser, which the script connects. */
function colorField(form: BrandFormState, name: (typeof colorFields)[number], colors: readonly string[]) {
  const label = fieldLabels[name]
  const value = textOf(form, name)
  return labelled({ name, label }, mistakeOf(form, name), (common) => [
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
        data-color={name}
        value={opaqueColor(value) ?? '#808080'}
        aria-label={`${label}: choose a colour`}
      />
    </span>,
    colors.length > 0 && (
      // Without the script each of them is a preview with that colour.
      <span class="swatches" role="group" aria-label={`${label}: colours of the logo`} data-part="swatches">
        {colors.map((color) => (
          <button
            type="submit"
            name="use"
            formnovalidate
            value={`${name} ${color}`}
            aria-label={`${label} ${color}`}
            title={color}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <rect width="20" height="20" fill={color} />
            </svg>
          </button>
        ))}
      </span>
    ),
  ])
}

function fileField(
  form: BrandFormState,
  name: BrandFileField,
  accept: string,
  hint: Child,
  thumbnail?: Child,
): Markup {
  const tooLarge = sentence(name, `must have at most ${limitOf(name)}`)
  const file = form.files[name]
  return labelled({ name, label: fieldLabels[name], hint }, mistakeOf(form, name), (common) => [
    <span class="drop">
      <span class="scripted" aria-hidden="true">
        <u>Choose a file</u>, or drop it here
      </span>
      <input
        {...common}
        type="file"
        accept={accept}
        data-bytes-max={uploadBytesMax[name]}
        data-too-large={tooLarge}
      />
    </span>,
    // `data-file` tells the script if it is another file than the one that is shown.
    file && (
      <div class="file box" data-part="file" data-file={file.keptToken ?? `${file.name} ${file.bytes}`}>
        {thumbnail}
        <span class="wrap-anywhere">
          {file.href ? <a href={file.href}>{file.name}</a> : file.name}{' '}
          <span class="muted">{formatBytes(file.bytes)}</span>
          {file.keptToken !== undefined && <span class="pill warn">not saved yet</span>}
          {file.warnings?.map((warning) => [<br />, sentence(name, warning)])}
        </span>
        {file.keptToken !== undefined && <input type="hidden" name={`kept-${name}`} value={file.keptToken} />}
        <label class="tick">
          <input type="checkbox" name="remove" value={name} checked={form.removed.includes(name)} /> Remove
        </label>
      </div>
    ),
  ])
}

function focalPoint({ widthPx, heightPx }: NonNullable<CardBrand['picture']>, source: string): Markup {
  return (
    <span class="focal framed" data-focal={true}>
      <img src={source} width={widthPx} height={heightPx} alt="" draggable="false" />
      <span
        class="point"
        role="slider"
        tabindex="0"
        aria-label="Focal point"
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow="50"
        hidden
      />
    </span>
  )
}

function accessField(form: BrandFormState): Markup {
  const current = form.texts.access === 'keys' ? 'keys' : 'everyone'
  const choices = [
    ['everyone', 'Everyone', 'Any call may name this brand.'],
    ['keys', 'Restricted', 'Only keys that you allow, on the page of each key.'],
  ] as const
  const mistake = mistakeOf(form, 'access')
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
      {mistake !== undefined && <p class="problem">{mistake}</p>}
    </div>
  )
}

function contrastNote(contrasts: readonly SchemeContrast[], ground = ''): Child {
  if (contrasts.length === 0) return undefined
  const typed = opaqueColor(ground)
  const moved = typed === undefined ? [] : contrasts.filter(({ background }) => background !== typed)
  return (
    <div class="contrasts" data-part="contrasts">
      <table>
        <caption>Contrast</caption>
        {tableHead(['Scheme', 'Title', 'Other texts'])}
        <tbody>
          {contrasts.map(({ scheme, background, title, text, isMinimum }) => (
            <tr>
              <th scope="row">
                {/* The two inks on their background */}
                <svg class="inks" viewBox="0 0 44 24" aria-hidden="true">
                  <rect width="44" height="24" rx="4" fill={background} />
                  <text x="7" y="17" font-weight="700" fill={title.color}>
                    A
                  </text>
                  <text x="24" y="17" fill={text.color}>
                    a
                  </text>
                </svg>{' '}
                {scheme === 'light' ? 'Light' : 'Dark'}
              </th>
              {[title, text].map(({ ratio }) => (
                <td>
                  {isMinimum && 'at least '}
                  <span class="num">{ratioText(ratio)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {moved.length > 0 && (
        <p class="hint">
          Your background is drawn as{' '}
          {moved.map(({ scheme, background }) => `${background} in the ${scheme} scheme`).join(' and ')}, so
          that every text can be read.
        </p>
      )}
    </div>
  )
}

/** `16.5 : 1`, cut and not rounded, so that it promises no more than there is. */
function ratioText(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`
}
