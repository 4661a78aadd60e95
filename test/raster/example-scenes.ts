import { readFileSync } from 'node:fs'
import type { PathLayer, Scene } from '../../src/raster/scene.ts'

export interface ExampleCard {
  readonly svg: string
  readonly scene: Scene
}

/** A finished card as SVG, and the same card taken apart into a scene: its text blocks become layers. */
export function exampleCard(name: string): ExampleCard {
  const svg = readFileSync(new URL(`./cards/${name}.svg`, import.meta.url), 'utf8')
  const layers: PathLayer[] = []
  const inner = svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')
  const words =
    /<g transform="translate\(([\d.-]+) ([\d.-]+)\)scale\(([\d.]+)\)">((?:<path fill="#\w+" d="[^"]*"\/>)+)<\/g>/g
  const rest = inner.replace(words, (_, x, y, scale, paths: string) => {
    for (const [, color, d] of paths.matchAll(/fill="#(\w+)" d="([^"]*)"/g)) {
      if (!color || !d) throw new Error(`${name}: a path without colour`)
      const hex = color.length === 3 ? color.replace(/./g, '$&$&') : color
      const opacity = hex.length === 8 ? Number.parseInt(hex.slice(6), 16) / 255 : 1
      layers.push({ kind: 'path', d, x: +x, y: +y, scale: +scale, fill: `#${hex.slice(0, 6)}`, opacity })
    }
    return ''
  })
  const defs = /<defs>(.*?)<\/defs>/s.exec(rest)?.[1] ?? ''
  const body = rest.replace(/<defs>.*?<\/defs>|<title.*?<\/title>|<desc.*?<\/desc>/gs, '')
  return {
    svg,
    scene: {
      widthPx: 1200,
      heightPx: 630,
      background: { key: name, color: '#000000', defs, body },
      layers,
    },
  }
}
