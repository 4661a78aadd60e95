import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Renderer } from '@takumi-rs/core'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'
import type { Words } from './words.ts'

await woff2Ready

interface CardPeer {
  svg(words: Words): Promise<string>
  png(words: Words): Promise<Uint8Array>
}

const background =
  'radial-gradient(circle at 85% 0%, rgba(0,157,184,.6), rgba(0,157,184,0) 60%), radial-gradient(circle at 100% 90%, rgba(0,110,220,.5), rgba(0,110,220,0) 50%), linear-gradient(#0a0c12, #0a0c12)'
const scrim = 'linear-gradient(rgba(0,0,0,.6), rgba(0,0,0,.6))'
const root = {
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  width: 1200,
  height: 630,
  padding: 84,
}
const titleStyle = { fontSize: 80, fontWeight: 700, color: '#ffffff', lineHeight: 1.08, fontFamily: 'Inter' }
const subtitleStyle = {
  fontSize: 36,
  fontWeight: 400,
  color: '#a7adb8',
  lineHeight: 1.3,
  fontFamily: 'Inter',
}
const footer = { fontSize: 28, fontWeight: 600, color: '#ffffff', fontFamily: 'Inter' }

async function inter(face: string): Promise<Buffer> {
  const file = createRequire(import.meta.url).resolve(`inter-ui/web/Inter-${face}.woff2`)
  return Buffer.from(unpackFont(await readFile(file)))
}

/** The parts of a brand that peers can draw. */
interface PeerBrand {
  readonly font: Uint8Array
  readonly logo: string
  /** A JPEG that covers the background, under a scrim. */
  readonly picture?: Uint8Array
}

interface TakumiPeer extends CardPeer {
  /** @param quality 1 to 100 */
  picture(words: Words, format: 'jpeg' | 'webp', quality: number): Promise<Uint8Array>
}

/** The dark gradient card with four texts, drawn by takumi from its own node tree. */
export async function takumiPeer(brand?: PeerBrand): Promise<TakumiPeer> {
  const { Renderer } = await import('@takumi-rs/core')
  const renderer = new Renderer()
  if (brand !== undefined) await renderer.registerFont({ name: 'Brand', data: Buffer.from(brand.font) })
  else
    for (const [face, weight] of [
      ['Regular', 400],
      ['SemiBold', 600],
      ['Bold', 700],
    ] as const)
      await renderer.registerFont({ name: 'Inter', data: await inter(face), weight })
  const images = brand && [
    { src: 'logo', data: Buffer.from(brand.logo) },
    ...(brand.picture === undefined ? [] : [{ src: 'picture', data: Buffer.from(brand.picture) }]),
  ]
  const backgroundStyle =
    brand?.picture === undefined
      ? { backgroundImage: background }
      : { backgroundImage: `${scrim}, url(picture)`, backgroundSize: 'cover' }
  const logo = brand && { type: 'image', src: 'logo', style: { width: 64, height: 64 } }
  function text(value: string, style: object) {
    const own = brand === undefined ? style : { ...style, fontFamily: 'Brand' }
    return { type: 'text', text: value, style: own } as const
  }
  function row(style: object, ...children: object[]) {
    return { type: 'container', style, children }
  }
  function tree({ title, subtitle, author, url }: Words) {
    return row(
      { ...root, ...backgroundStyle },
      row(
        { display: 'flex', flexDirection: 'column' },
        text(title, titleStyle),
        text(subtitle, subtitleStyle),
      ),
      row(
        { display: 'flex', justifyContent: 'space-between' },
        ...(logo === undefined ? [] : [logo]),
        text(author, footer),
        text(url, footer),
      ),
    ) as Parameters<Renderer['render']>[0]
  }
  const size = { width: 1200, height: 630, ...(images === undefined ? {} : { images }) }
  return {
    svg: (words) => renderer.renderSvg(tree(words), size),
    png: (words) => renderer.render(tree(words), { ...size, format: 'png' }),
    picture: (words, format, quality) => renderer.render(tree(words), { ...size, format, quality }),
  }
}

/**
 * The card drawn by satori, and its PNG by resvg-js, which is the usual pair.
 * @param embedFont false for an SVG with a `text` element for each word
 */
export async function satoriPeer(embedFont = true): Promise<CardPeer> {
  const [{ default: satori }, { Resvg }] = await Promise.all([import('satori'), import('@resvg/resvg-js')])
  const fonts = [
    { name: 'Inter', data: await inter('Regular'), weight: 400 as const },
    { name: 'Inter', data: await inter('SemiBold'), weight: 600 as const },
    { name: 'Inter', data: await inter('Bold'), weight: 700 as const },
  ]
  function element(style: object, children: unknown) {
    return { type: 'div', props: { style: { display: 'flex', ...style }, children } }
  }
  function svg({ title, subtitle, author, url }: Words) {
    return satori(
      element({ ...root, boxSizing: 'border-box', backgroundImage: background }, [
        element({ flexDirection: 'column' }, [element(titleStyle, title), element(subtitleStyle, subtitle)]),
        element({ justifyContent: 'space-between' }, [element(footer, author), element(footer, url)]),
      ]) as Parameters<typeof satori>[0],
      { width: 1200, height: 630, fonts, embedFont },
    )
  }
  return {
    svg,
    png: async (words) => new Resvg(await svg(words), { font: { loadSystemFonts: false } }).render().asPng(),
  }
}
