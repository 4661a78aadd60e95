import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { satoriPeer, takumiPeer } from './peers.ts'
import { knownWords, type Words } from './words.ts'

type Draw = (words: Words) => Promise<Uint8Array>

/**
 * The scripts that people write. With a number as count: draws so many cards into a folder. With `site`: walks the pages
 * of a folder, reads title and description, draws a card and names it in the head. The first two peers draw a card with
 * gradients, the others the same four texts on one colour, with the font `inter.ttf` of the folder; astro-og-canvas has
 * place for two. Arguments: peer, count, folder, and for astro-og-canvas where its package is.
 */
const [, , peer = '', count = '', folder = '.', packageFolder = ''] = process.argv
const size = { width: 1200, height: 630 }
const padding = 84
const fontFile = join(folder, 'inter.ttf')
const peers: Readonly<Record<string, () => Promise<Draw>>> = {
  takumi: async () => (await takumiPeer()).png,
  'satori + resvg-js': async () => (await satoriPeer()).png,
  'plain satori + resvg-js': plainSatori,
  '@vercel/og': vercel,
  'astro-og-canvas': astroCanvas,
}
const draw = await peers[peer]?.()
if (draw === undefined) throw new Error(`No peer is called ${peer}.`)
if (count === 'site') await drawSite(draw)
else await drawCards(draw)

async function drawCards(drawCard: Draw): Promise<void> {
  const next = knownWords(21)
  for (let index = 0; index < Number(count); index++)
    writeFileSync(join(folder, `${index}.png`), await drawCard(next()))
}

async function drawSite(drawCard: Draw): Promise<void> {
  mkdirSync(join(folder, 'og'), { recursive: true })
  for (const path of readdirSync(folder, { recursive: true }).map(String)) {
    if (!path.endsWith('.html')) continue
    const file = join(folder, path)
    const html = readFileSync(file, 'utf8')
    const title = /<title>([^<|]*)/.exec(html)?.[1]?.trim() ?? ''
    const subtitle = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const png = await drawCard({ title, subtitle, author: 'Tidewater', url: 'tidewater.example' })
    const name = `${createHash('sha256').update(png).digest('hex').slice(0, 16)}.png`
    writeFileSync(join(folder, 'og', name), png)
    const tag = `<meta property="og:image" content="https://tidewater.example/og/${name}">`
    writeFileSync(file, html.replace('</head>', `${tag}</head>`))
  }
}

async function plainSatori(): Promise<Draw> {
  const [{ default: satori }, { Resvg }] = await Promise.all([import('satori'), import('@resvg/resvg-js')])
  const fonts = [{ name: 'Inter', data: readFileSync(fontFile), weight: 700 as const }]
  return async (words) => {
    const svg = await satori(plainCard(words) as Parameters<typeof satori>[0], { ...size, fonts })
    return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
  }
}

async function vercel(): Promise<Draw> {
  const { ImageResponse } = await import('@vercel/og')
  const data = new Uint8Array(readFileSync(fontFile)).buffer
  const fonts = [{ name: 'Inter', data, weight: 700 as const }]
  return async (words) => {
    const card = plainCard(words) as ConstructorParameters<typeof ImageResponse>[0]
    return new Uint8Array(await new ImageResponse(card, { ...size, fonts }).arrayBuffer())
  }
}

/** Without the cache that it keeps between builds. */
async function astroCanvas(): Promise<Draw> {
  const path = join(packageFolder, 'dist/generateOpenGraphImage.js')
  const { generateOpenGraphImage } = await import(pathToFileURL(path).href)
  const font = { title: { families: ['Inter'] }, description: { families: ['Inter'] } }
  const look = { font, fonts: [fontFile], padding, cacheDir: false }
  return ({ title, subtitle }) => generateOpenGraphImage({ title, description: subtitle, ...look })
}

function plainCard({ title, subtitle, author, url }: Words) {
  const column = { flexDirection: 'column', justifyContent: 'space-between', padding, ...size }
  return element({ ...column, background: '#0a0c12', color: '#ffffff', fontFamily: 'Inter' }, [
    element({ fontSize: 72 }, title),
    element({ fontSize: 36 }, subtitle),
    element({ fontSize: 28 }, `${author}, ${url}`),
  ])
}

function element(style: object, children: unknown) {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } }
}
