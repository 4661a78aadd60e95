import { avatarJson, avatarOf } from '../avatar/query.ts'
import type { AvatarRenderer } from '../avatar/render.ts'
import type { Badge } from '../badge/badge.ts'
import { shieldsEndpoint } from '../badge/endpoint.ts'
import type { BadgeOutliner } from '../badge/outlined.ts'
import { badgeOf } from '../badge/query.ts'
import { renderBadge } from '../badge/render.ts'
import { assets } from '../catalog.ts'
import { Problem } from '../errors.ts'
import { textBody } from '../http/body.ts'
import type { Producer, Product } from '../http/calls.ts'
import { slug } from '../lib/slug.ts'
import { RasterBusy, type RasterPool } from '../raster/pool.ts'
import { metricBadge } from '../stats/metric.ts'
import type { Stats } from '../stats/stats.ts'
import { version } from '../version.ts'

type Raster = Pick<RasterPool, 'svgPng'>

/** `GET /api/transform?kind=badge`: a badge as SVG, PNG or what shields.io reads. */
export function badgeProducer(deps: {
  readonly outliner: BadgeOutliner
  readonly raster: Raster
}): Producer<typeof assets.badge.query> {
  return {
    asset: assets.badge,
    engineVersion: version,
    produce(query) {
      const badge = badgeOf(query)
      const name = slug(`${badge.label} ${badge.message}`, 'badge')
      if (query.format === 'json') return json(shieldsEndpoint(badge), name)
      if (query.format === 'svg') return svg(renderBadge(badge), name)
      return outlinedPng(badge, name)
    },
  }

  async function outlinedPng(badge: Badge, name: string): Promise<Product> {
    return png(await deps.outliner.svg(badge), deps.raster, name)
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
    async produce(query) {
      // A rasteriser has no fonts: it needs outlines.
      const avatar = avatarOf(query.format === 'png' ? { ...query, text: 'path' } : query)
      const name = slug(avatar.name, 'avatar')
      if (query.format === 'json') return json(avatarJson(avatar), name)
      await deps.avatars.prepare(avatar)
      const drawn = deps.avatars.svg(avatar)
      return query.format === 'svg' ? svg(drawn, name) : png(drawn, deps.raster, name)
    },
  }
}

interface StatsDeps {
  readonly readStats: () => Stats
  readonly prometheus: (stats: Stats) => string
}

/** `GET /api/transform?kind=stats`: how busy the service is. */
export function statsProducer({ readStats, prometheus }: StatsDeps): Producer<typeof assets.stats.query> {
  return {
    asset: assets.stats,
    engineVersion: version,
    produce(query) {
      const stats = readStats()
      switch (query.format) {
        case 'json':
          return json(stats, 'stats')
        case 'prometheus':
          return product(prometheus(stats), prometheusType, 'stats.txt')
        case 'endpoint':
          return json(shieldsEndpoint(metricBadge(stats, query)), query.metric)
        default:
          return svg(renderBadge(metricBadge(stats, query)), query.metric)
      }
    },
  }
}

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

function product(text: string, contentType: string, filename: string): Product {
  return { body: textBody(text), contentType, filename }
}

function svg(text: string, name: string): Product {
  return product(text, 'image/svg+xml', `${name}.svg`)
}

function json(value: unknown, name: string): Product {
  return product(JSON.stringify(value), 'application/json', `${name}.json`)
}

async function png(drawing: string, raster: Raster, name: string): Promise<Product> {
  const body = await raster.svgPng(drawing).catch((error) => {
    if (!(error instanceof RasterBusy)) throw error
    throw new Problem('busy', 'Too many pictures wait to be drawn.', { headers: { 'retry-after': '2' } })
  })
  return { body, contentType: 'image/png', filename: `${name}.png` }
}
