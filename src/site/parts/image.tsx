/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { picturePath } from '../pictures.ts'
import type { PictureFile } from '../sample-pictures.ts'

interface Shown extends PictureFile {
  readonly class?: string
}

export function image({ alt, size, class: name, ...picture }: Shown): Markup {
  const [width, height] = [size?.widthPx, size?.heightPx].map((px) => px && Math.round(px))
  return (
    <img src={picturePath(picture)} width={width} height={height} alt={alt} loading="lazy" class={name} />
  )
}
