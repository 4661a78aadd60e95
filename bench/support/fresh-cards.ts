import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { satoriPeer, takumiPeer, type Words } from './peers.ts'
import { knownWords } from './words.ts'

type Draw = (words: Words) => Promise<Uint8Array>

const size = { width: 1200, height: 630 }
const padding = 84

/**
 * The script that people write: draws so many cards into a folder. The first two peers draw a card with gradients, the
 * others the same four texts on one colour, with the font `inter.ttf` of the folder; astro-og-canvas has place for two.
 * Arguments: peer, count, folder, and for astro-og-canvas where its package is.
 */
const [, , peer = '', count = '', folder = '.', packageFolder = ''] = process.argv
const peers: Readonly<Record<string, () => Promise<Draw>>> = {
  takumi: async () => (await takumiPeer()).png,
  'satori + resvg-js': async () => (await satoriPeer()).png,
  'plain satori + resvg-js': plainSatori,
  '@vercel/og': vercel,
  'astro-og-canvas': astroCanvas,
}
const next = knownWords(21)
const draw = await peers[peer]?.()
for (let index = 0; index < Number(count); index++) {
  const png = await draw?.(next())
  writeFileSync(join(folder, `${index}.png`), png ?? '')
}

async function plainSatori(): Promise<Draw> {
  const [{ default: satori }, { Resvg }] = await Promise.all([import('satori'), import('@resvg/resvg-js')])
  const fonts = [{ name: 'Inter', data: readFileSync(fontFile()), weight: 700 as const }]
  return async (words) => {
    const svg = await satori(plainCard(words) as Parameters<typeof satori>[0], { ...size, fonts })
    return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
  }
}

async function vercel(): Promise<Draw> {
  const { ImageResponse } = await import('@vercel/og')
  const data = new Uint8Array(readFileSync(fontFile())).buffer
  const fonts = [{ name: 'Inter', data, weight: 700 as const }]
  return async (words) => {
    const element = plainCard(words) as ConstructorParameters<typeof ImageResponse>[0]
    return new Uint8Array(await new ImageResponse(element, { ...size, fonts }).arrayBuffer())
  }
}

/** Without the cache that it keeps between builds. */
async function astroCanvas(): Promise<Draw> {
  const path = join(packageFolder, 'dist/generateOpenGraphImage.js')
  const { generateOpenGraphImage } = await import(pathToFileURL(path).href)
  const font = { title: { families: ['Inter'] }, description: { families: ['Inter'] } }
  return ({ title, subtitle }) =>
    generateOpenGraphImage({
      title,
      description: subtitle,
      font,
      fonts: [fontFile()],
      padding,
      cacheDir: false,
    })
}

function fontFile(): string {
  return join(folder, 'inter.ttf')
}

function plainCard({ title, subtitle, author, url }: Words) {
  const style = {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'space-between',
    padding,
    ...size,
  }
  return element({ ...style, background: '#0a0c12', color: '#ffffff', fontFamily: 'Inter' }, [
    element({ fontSize: 72 }, title),
    element({ fontSize: 36 }, subtitle),
    element({ fontSize: 28 }, `${author}, ${url}`),
  ])
}

function element(style: object, children: unknown) {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } }
}
