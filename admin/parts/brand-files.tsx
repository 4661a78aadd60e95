/** @jsxImportSource #jsx */
import { uploadedLogo, uploadedPicture } from '../../src/assets/og/brand/upload-rules.ts'
import { uploadBytesMax } from '../../src/brands/read-uploads.ts'
import { formatBinaryBytes, formatBytes } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { acceptedFiles, formatLabels } from '../../src/raster/picture-formats.ts'
import { picturePxMax } from '../../src/raster/picture-headers.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { fontFormats } from '../../src/text/brand-fonts/font-limits.ts'
import { fontFormatLabels } from '../../src/text/brand-fonts/font-signature.ts'
import type { FontSample, SmallPicture } from '../data/brand-details.ts'
import type { BrandFormState, ShownFile } from '../data/brand-fields.ts'
import { labelled, sentence } from './brand-controls.tsx'

/** @param logos the logo as cards paint it, in each scheme */
export function logoField(form: BrandFormState, logos: readonly SmallPicture[]): Markup {
  return fileField(form, 'logo', {
    accept: acceptedFiles(uploadedLogo.types),
    hint: `${formatLabels(uploadedLogo.types)}, up to ${limitOf('logo')}. A logo of one colour is drawn in the ink of each card.`,
    thumbnail: logos.length > 0 && (
      <span class="logos">
        {logos.map(({ source, widthPx, heightPx }) => (
          <img src={source} width={widthPx} height={heightPx} alt="" />
        ))}
      </span>
    ),
  })
}

/** The script makes its thumbnail a place to choose the focal point at. */
export function pictureField(form: BrandFormState, picture: SmallPicture | undefined): Markup {
  return fileField(form, 'picture', {
    accept: acceptedFiles(uploadedPicture.types),
    hint: `${formatLabels(uploadedPicture.types)}, up to ${limitOf('picture')} and ${picturePxMax / 1e6} megapixels. It covers the background; text keeps its contrast.`,
    thumbnail: picture && (
      <span class="focal" data-focal={true}>
        <img
          src={picture.source}
          width={picture.widthPx}
          height={picture.heightPx}
          alt=""
          draggable="false"
        />
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
    ),
  })
}

export function fontField(
  form: BrandFormState,
  field: 'titleFont' | 'textFont',
  sample: FontSample | undefined,
  note = '',
): Markup {
  const accept = fontFormats.flatMap((format) => [`.${format}`, `font/${format}`]).join(',')
  const hint = `${fontFormatLabels}, up to ${limitOf(field)}. ${note}`
  return fileField(form, field, { accept, hint: hint.trim(), thumbnail: sample && fontSample(sample) })
}

function fontSample({ name, path, scale, widthPx, heightPx }: FontSample): Markup {
  return (
    <svg
      class="sample-font"
      viewBox={`0 0 ${widthPx} ${heightPx}`}
      width={widthPx}
      height={heightPx}
      role="img"
      aria-label={`${name}, set in this font`}
    >
      <path fill="currentColor" transform={`scale(${scale})`} d={path} />
    </svg>
  )
}

function limitOf(field: BrandFileField): string {
  return formatBinaryBytes(uploadBytesMax[field])
}

interface FileFieldOptions {
  readonly accept: string
  readonly hint: string
  readonly thumbnail: Child
}

/** A file input, which takes dropped files too, and the file that is there. */
function fileField(
  form: BrandFormState,
  field: BrandFileField,
  { accept, hint, thumbnail }: FileFieldOptions,
): Markup {
  const shown = form.files[field]
  const tooLarge = `must have at most ${limitOf(field)}`
  const control = (common: Readonly<Record<string, string>>) => [
    <span class="drop">
      <span class="scripted" aria-hidden="true">
        <u>Choose a file</u>
        <span class="drag">, or drop it here</span>
      </span>
      <input
        {...common}
        type="file"
        accept={accept}
        data-bytes-max={uploadBytesMax[field]}
        data-too-large={sentence(field, tooLarge)}
      />
    </span>,
    shown && shownFile(field, shown, form.removed.includes(field), thumbnail),
  ]
  return labelled(form, field, control, hint)
}

/** `data-file` tells the script whether it is another file than the one that is shown. */
function shownFile(
  field: BrandFileField,
  { name, bytes, keptToken }: ShownFile,
  isRemoved: boolean,
  thumbnail: Child,
): Markup {
  return (
    <div class="file" data-part="file" data-file={keptToken ?? `${name} ${bytes}`}>
      {thumbnail}
      <span class="words">
        {name} <span class="muted">{formatBytes(bytes)}</span>
        {keptToken !== undefined && <span class="pill warn">not saved yet</span>}
      </span>
      {keptToken !== undefined && <input type="hidden" name={`kept-${field}`} value={keptToken} />}
      <label class="tick">
        <input type="checkbox" name="remove" value={field} checked={isRemoved} /> Remove
      </label>
    </div>
  )
}
