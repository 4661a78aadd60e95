import { expect, test } from 'bun:test'
import { Buffer } from 'node:buffer'
import type { Avatar } from '../../src/assets/avatar/avatar-of.ts'
import { createAvatarRenderer } from '../../src/assets/avatar/avatar-renderer.ts'
import { badgeStyles } from '../../src/assets/badge/badge.ts'
import { createBadgeRenderer } from '../../src/assets/badge/badge-renderer.ts'
import type { CardLogo } from '../../src/assets/og/brand/brand-images.ts'
import { readLogo, UploadRefused } from '../../src/assets/og/brand/read-upload.ts'
import { sizeNames } from '../../src/assets/og/theme.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { drawSvg } from '../../src/raster/draw-svg.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { type PictureDrawer, PictureRefused } from '../../src/raster/picture-process/picture-drawer.ts'
import { shapesOf } from '../../src/raster/picture-process/svg-thread.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { randomFrom } from '../support/random.ts'
import { sampleSize } from '../support/test-size.ts'
import { hostileTexts } from '../text/texts.ts'
import extremeNumbers from './extreme-numbers.json' with { type: 'json' }
import { cards } from './og/corpus.ts'

const random = randomFrom(33)
const logos = sampleSize(500, 14)
const usual = ['0', '1', '2.5', '10', '24', '-7', '64', '100']
const extreme = extremeNumbers

/** One number in ten is extreme, so that most logos are odd in one or two places. */
function number(): string {
  return random.below(10) === 0 ? random.pick(extreme) : random.pick(usual)
}

const shapes: readonly (() => string)[] = [
  () => `<rect x="${number()}" y="${number()}" width="${number()}" height="${number()}" rx="${number()}"/>`,
  () => `<ellipse cx="${number()}" cy="${number()}" rx="${number()}" ry="${number()}"/>`,
  () => `<polygon points="0,0 ${number()},${number()} ${number()},${number()}"/>`,
  () => `<path d="M${number()} ${number()}h${number()}v${number()}z"/>`,
  () => `<path d="M0 0C${number()} ${number()} ${number()} ${number()} ${number()} ${number()}Z"/>`,
  () => `<path d="M0 0A${number()} ${number()} ${number()} 1 0 ${number()} ${number()}Z"/>`,
  () => `<path d="M0 0Q${number()} ${number()} ${number()} ${number()}T${number()} 9Z"/>`,
  () =>
    `<path fill="none" stroke="#e33" stroke-width="${number()}" stroke-miterlimit="${number()}" d="M0 0L${number()} ${number()}L9 1"/>`,
  () => `<g transform="scale(${number()} ${number()})"><rect width="9" height="${number()}"/></g>`,
  () =>
    `<rect width="9" height="9" transform="matrix(${number()} ${number()} 1 ${number()} 0 ${number()})"/>`,
  () => `<rect width="9" height="9" transform="skewX(${number()})rotate(${number()})"/>`,
  () => `<rect width="9" height="9" fill-opacity="${number()}" fill="rgb(${number()},0,9)"/>`,
  () =>
    `<symbol id="s" viewBox="0 0 ${number()} ${number()}"><rect width="9" height="9"/></symbol><use href="#s" x="${number()}" width="${number()}" height="${number()}"/>`,
]

const thin = [
  'viewBox="0 0 1000000 1"',
  'viewBox="0 0 1 1000000"',
  'viewBox="0 0 1 0.000001"',
  'viewBox="1000000 1000000 1e-12 1e-12"',
  'width="1e-300" height="1e-300"',
]

function hostileLogo(): string {
  const frame = random.pick([
    '',
    '',
    '',
    '',
    'viewBox="0 0 100 100"',
    `viewBox="${number()} ${number()} ${number()} ${number()}"`,
    `width="${number()}" height="${number()}"`,
    ...thin,
  ])
  const body = Array.from({ length: 1 + random.below(2) }, () => random.pick(shapes)()).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" ${frame}>${body}</svg>`
}

const pictures: Pick<PictureDrawer, 'convert'> = {
  async convert(job) {
    const shapes = await shapesOf(Buffer.from(job.base64, 'base64').toString())
    if (shapes === undefined) throw new PictureRefused('needs pixels, which this test does without')
    return new Uint8Array(Buffer.from(shapes))
  },
}

async function logoOf(svg: string): Promise<CardLogo | undefined> {
  const rules = { bytesMax: 8192, types: ['svg'] } as const
  return readLogo(Buffer.from(svg), rules, { pictures, client: 'test' }).catch((error: unknown) => {
    if (error instanceof UploadRefused) return undefined
    throw error
  })
}

/** Attributes only: a title may say what it likes. */
function faultsIn(svg: string): readonly string[] {
  const attributes = svg.match(/\s[\w:-]+="[^"]*"/g) ?? []
  return attributes.filter((text) => / (?!aria-)[\w:-]+="[^"]*(?:NaN|Infinity|undefined|null)/.test(text))
}

test('every number of a card is finite and is drawn, whatever numbers its logo has', async () => {
  const faults: string[] = []
  let taken = 0
  for (let index = 0; index < logos; index++) {
    const source = index < thin.length ? thinLogo(index) : hostileLogo()
    const logo = await logoOf(source)
    if (logo === undefined) continue
    taken += 1
    const theme = themeNames[taken % themeNames.length] ?? 'aurora'
    const params = { title: 'A', theme, size: sizeNames[taken % sizeNames.length] ?? 'og' } as const
    const svg = (await cards.svgPieces({ params, ownLogo: logo })).join('')
    faults.push(...faultsIn(svg).map((fault) => `${source}: ${fault}`))
    // A renderer must read it; what it paints is the business of other tests.
    if (taken % 16 === 0) drawSvg(svg, 0.1)
    if (taken % 16 === 8) paintScene((await cards.composed({ params, ownLogo: logo })).scene, 300)
  }
  expect(faults).toEqual([])
  expect(taken).toBeGreaterThan(logos / 7)
})

function thinLogo(index: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${thin[index]}><path d="M0 0h1000000v1H0z"/></svg>`
}

test('every number of a badge and of an avatar is finite and is drawn, at the ends of all ranges', async () => {
  const text = createTextEngine()
  const [badges, avatars] = [createBadgeRenderer(text), createAvatarRenderer(text)]
  const texts = ['', '\u200b', '\u0301', ...hostileTexts().map((sample) => sample.text.slice(0, 60))].filter(
    (_, index) => index < 3 || index % sampleSize(3, 36) === 0,
  )
  for (const [index, message] of texts.entries()) {
    const style = badgeStyles[index % badgeStyles.length] ?? 'flat'
    const logo = { kind: 'image', href: 'data:,', widthPx: [1, 400][index % 2] ?? 1 } as const
    const badge = { style, label: texts.at(-index) ?? '', message, color: '#298605', links: [], idSuffix: '' }
    const scaled = { ...badge, scale: [0.5, 4][index % 2] ?? 1, ...(index % 3 === 0 && { logo }) }
    const drawnBadges = [await badges.svg(scaled), await badges.outlines(scaled)]
    const avatar: Avatar = {
      ...{ name: message, initials: Array.from(message).slice(0, 3).join(''), isText: false, bold: false },
      ...{ sizePx: [16, 1024][index % 2] ?? 16, fontScale: [0.1, 1][index % 2] ?? 1 },
      ...{ shape: 'circle', style: 'plain', seed: 'x', background: '#123456', color: '#ffffff' },
      ...{ lang: undefined, title: undefined },
    }
    const drawn = [...drawnBadges, await avatars(avatar)]
    for (const svg of drawn) expect(faultsIn(svg)).toEqual([])
    if (index % 6 === 0) for (const svg of drawn) drawSvg(svg, 0.2)
  }
})
