/** @jsxImportSource #jsx */
import type { RequestContext } from '../../http/request-context.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { type Choice, type ChoicePicture, choices } from '../choice-pictures.ts'
import { type OwnPictures, picturePath } from '../pictures.ts'
import type { PictureSize } from '../sample-pictures.ts'

/** The sizes of pictures, by their files. */
export type PictureSizes = ReadonlyMap<string, PictureSize>

/** Pictures of the values of an asset's parameters, drawn by the service itself. */
export function choiceSections(assetId: string, sizes: PictureSizes): Child {
  return choices.filter(({ assetIds }) => assetIds[0] === assetId).map((choice) => section(choice, sizes))
}

function section({ assetIds, parameter, heading, pictures }: Choice, sizes: PictureSizes): Markup {
  const shown = pictures.filter(({ scheme }) => scheme !== 'own')
  return (
    <div class={`looks of-${assetIds[0]} is-${parameter}`}>
      <h3>{heading}</h3>
      <div>
        {shown.map((picture) => (
          <figure>
            {image(picture, sizes)}
            <figcaption>{caption(parameter, picture)}</figcaption>
          </figure>
        ))}
      </div>
    </div>
  )
}

function image(picture: ChoicePicture, sizes: PictureSizes): Markup {
  const size = picture.size ?? sizes.get(picture.file)
  return (
    <img
      src={picturePath(picture)}
      width={size && Math.round(size.widthPx)}
      height={size && Math.round(size.heightPx)}
      alt={picture.alt}
      loading="lazy"
    />
  )
}

function caption(parameter: string, { value, scheme, size }: ChoicePicture): Child {
  return [
    <code>
      {parameter}={value}
    </code>,
    scheme && [' ', <code>scheme={scheme}</code>],
    parameter === 'size' && size && [' ', <span>{`${size.widthPx} × ${size.heightPx}`}</span>],
  ]
}

/** Measures the pictures whose size follows from their text. */
export async function measurePictures(pictures: OwnPictures, context: RequestContext): Promise<PictureSizes> {
  const unknown = choices.flatMap((choice) => choice.pictures.filter(({ size }) => size === undefined))
  const measured = await Promise.all(
    unknown.map(async (picture) => [picture.file, await pictures.sizeOf(picture, context)] as const),
  )
  return new Map(measured.flatMap(([file, size]) => (size === undefined ? [] : [[file, size]])))
}
