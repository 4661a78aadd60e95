import type { AvatarRenderer } from '../assets/avatar/avatar-renderer.ts'
import { avatarJson, avatarOf } from '../assets/avatar/query.ts'
import type { Badge } from '../assets/badge/badge.ts'
import type { BadgeOutliner } from '../assets/badge/badge-outliner.ts'
import { badgeOf, badgeWords } from '../assets/badge/query.ts'
import { rasterizeLogo } from '../assets/badge/rasterize-logo.ts'
import { renderBadge } from '../assets/badge/render-badge.ts'
import { shieldsEndpoint } from '../assets/badge/shields-endpoint.ts'
import { metricBadge } from '../assets/stats/metric.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { assets } from '../catalog.ts'
import { Problem } from '../errors.ts'
import { type Body, textBody } from '../http/body.ts'
import type { Producer, ProductHead } from '../http/parsed-request.ts'
import type { RequestContext } from '../http/request-context.ts'
import { addressBlock } from '../lib/address-block.ts'
import { slug } from '../lib/slug.ts'
import { version } from '../lib/version.ts'
import type { PictureDrawer } from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/pool.ts'

/** Draws an SVG of ours. */
interface Raster {
  svgPng(svg: string): Promise<Uint8Array<ArrayBuffer>>
}

/** `GET /api/transform?kind=badge`: a badge as SVG, PNG or what shields.io reads. */
export function badgeProducer(deps: {
  readonly outliner: BadgeOutliner
  readonly raster: Raster
  readonly pictures: Pick<PictureDrawer, 'draw' | 'svgPng'>
}): Producer<typeof assets.badge.query> {
  return {
    asset: assets.badge,
    engineVersion: version,
    describe: (query) => {
      const { label, message } = badgeWords(query)
      return fileHead(query.format, slug(`${label} ${message}`, 'badge'))
    },
    produce(query, context) {
      const badge = badgeOf(query)
      if (query.format === 'json') return json(shieldsEndpoint(badge))
      if (query.format === 'svg') return textBody(renderBadge(badge))
      return outlinedPng(badge, context)
    },
  }

  async function outlinedPng(badge: Badge, context: RequestContext): Promise<Body> {
    const { outliner, pictures, raster } = deps
    if (badge.logo?.kind !== 'image') return png(await outliner.svg(badge), raster)
    const client = addressBlock(context.clientAddress)
    const drawing = await outliner.svg(await rasterizeLogo(badge, badge.logo, pictures, client))
    return png(drawing, { svgPng: (svg) => pictures.svgPng(svg, client) })
  }
}

/** `GET /api/transform?kind=avatar`: initials as SVG, PNG or JSON. */
export function avatarProducer(deps: {
  readonly avatars: AvatarRenderer
  readonly raster: Raster
}): Producer<typeof assets.avatar.query> {
  return {
    asset: assets.avatar,
    engineVersion: version,
    describe: ({ name, format }) => fileHead(format, slug(name, 'avatar')),
    async produce(query) {
      // A rasteriser has no fonts: it needs outlines.
      const avatar = avatarOf(query.format === 'png' ? { ...query, text: 'path' } : query)
      if (query.format === 'json') return json(avatarJson(avatar))
      await deps.avatars.prepare(avatar)
      const drawn = deps.avatars.svg(avatar)
      return query.format === 'svg' ? textBody(drawn) : png(drawn, deps.raster)
    },
  }
}

interface StatsDeps {
  readonly readStats: () => Promise<Stats>
  readonly prometheus: () => Promise<string>
}

/** `GET /api/transform?kind=stats`: how busy the service is. */
export function statsProducer({ readStats, prometheus }: StatsDeps): Producer<typeof assets.stats.query> {
  return {
    asset: assets.stats,
    engineVersion: version,
    describe({ format, metric }) {
      if (format === 'prometheus') return { contentType: prometheusType, filename: 'stats.txt' }
      return fileHead(format === 'svg' ? 'svg' : 'json', format === 'json' ? 'stats' : metric)
    },
    async produce(query) {
      if (query.format === 'prometheus') return textBody(await prometheus())
      const stats = await readStats()
      switch (query.format) {
        case 'json':
          return json(stats)
        case 'endpoint':
          return json(shieldsEndpoint(metricBadge(stats, query)))
        default:
          return textBody(renderBadge(metricBadge(stats, query)))
      }
    },
  }
}

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

const contentTypes = { svg: 'image/svg+xml', png: 'image/png', json: 'application/json' } as const

function fileHead(format: keyof typeof contentTypes, name: string): ProductHead {
  return { contentType: contentTypes[format], filename: `${name}.${format}` }
}

function json(value: unknown): Body {
  return textBody(JSON.stringify(value))
}

async function png(drawing: string, raster: Raster): Promise<Body> {
  return raster.svgPng(drawing).catch((error) => {
    if (!(error instanceof RasterBusy)) throw error
    throw new Problem('busy', 'Too many pictures wait to be drawn.', {
      headers: { 'retry-after': '2' },
      cause: error,
    })
  })
}
