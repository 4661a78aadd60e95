import { Buffer } from 'node:buffer'
import { invalidQuery } from '../../errors.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import { type PictureDrawer, PictureRefused } from '../../raster/picture-process/picture-drawer.ts'
import { throwUndrawn } from '../picture-files.ts'
import type { Badge, ImageLogo } from './badge.ts'
import { logoHeightPx } from './badge-elements.ts'

/** Replaces the caller's picture by a PNG of the size that the badge shows, so that it is drawn from small and trusted input. */
export async function rasterizeLogo(
  badge: Badge,
  logo: ImageLogo,
  pictures: Pick<PictureDrawer, 'draw'>,
  client: QueueClient,
): Promise<Badge> {
  const { href, widthPx } = logo
  const picture = { href, widthPx, heightPx: logoHeightPx, zoom: Math.ceil(badge.scale) }
  const png = await pictures.draw(picture, client).catch(problemOf)
  return { ...badge, logo: { ...logo, href: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } }
}

function problemOf(error: unknown): never {
  if (error instanceof PictureRefused) throw invalidQuery([{ parameter: 'logo', message: error.message }])
  return throwUndrawn(error)
}
