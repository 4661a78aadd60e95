/** 26 kinds of words in five styles, in Noto Sans and, where it has the script, in DejaVu Sans: about five seconds. */

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { badgeStyles } from '../../../src/assets/badge/badge.ts'
import { createBadgeRenderer } from '../../../src/assets/badge/badge-renderer.ts'
import { createDejaVu } from '../../../src/assets/badge/widths/shaped-measure.ts'
import { packageFile } from '../../../src/lib/package-files.ts'
import { readFontFileSync } from '../../../src/text/font-files.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { type Browser, hasBrowser, openBrowser } from '../../admin/support/browser.ts'
import { started } from '../../support/started.ts'
import { fontName, textFonts } from '../../text/text-fonts.ts'
import chromiumWords from './chromium-words.json' with { type: 'json' }

/** Label and message of a build or a licence, as badges have them. */
const words = chromiumWords as unknown as Readonly<Record<string, readonly [label: string, message: string]>>
const marginMinPx = 2
const samples = Object.entries(words).flatMap(([script, [label, message]]) =>
  badgeStyles.map((style) => ({ name: `${script}, ${style}`, style, label, message })),
)
const files = [...new Set(samples.flatMap(({ label, message }) => textFonts(`${label} ${message}`, 'en')))]

describe.if(hasBrowser)(
  'In Chromium no text of a badge comes closer than 2 px to the end of its part',
  () => {
    let svgs: readonly string[]
    const browser = started(openBrowser)
    beforeAll(async () => {
      const badges = createBadgeRenderer(createTextEngine())
      const drawn = samples.map(({ name: _name, ...badge }, at) =>
        badges.svg({ ...badge, color: '#298605', links: [], idSuffix: `-${at}`, scale: 1 }),
      )
      svgs = await Promise.all(drawn)
    })

    test('in DejaVu Sans', async () => {
      const dejavu = await createDejaVu()
      const has = samples.map(({ label, message }) => dejavu(label + message, 'regular') !== undefined)
      expect(has.filter(Boolean).length).toBeGreaterThan(30)
      const faces = ['DejaVuSans', 'DejaVuSans-Bold'].map((file, at) => {
        const source = readFileSync(packageFile('dejavu-fonts-ttf', `ttf/${file}.ttf`)).toString('base64')
        return `@font-face{font-family:D;font-weight:${at === 0 ? 400 : 700};src:url(data:font/ttf;base64,${source})}`
      })
      const inDejaVu = svgs.map((svg) => svg.replace(/font-family="[^"]*"/g, 'font-family="D"'))
      const tight = await tightTexts(browser, inDejaVu, faces.join(''))
      expect(tight.filter(({ at }) => has[at])).toEqual([])
    })

    test('in Noto Sans', async () => {
      const notoFirst = files.map(fontName).slice(1).join(',')
      const faces = files.map((file) => {
        const source = Buffer.from(readFontFileSync(file)).toString('base64')
        return `@font-face{font-family:${fontName(file)};font-weight:100 900;src:url(data:font/woff2;base64,${source})}`
      })
      const families = `font-family="${notoFirst},DejaVu Sans"`
      const inNoto = svgs.map((svg) => svg.replace(/font-family="[^"]*"/g, families))
      expect(await tightTexts(browser, inNoto, faces.join(''))).toEqual([])
    })
  },
)

/** The texts that have too little room beside them. */
async function tightTexts(browser: Browser, svgs: readonly string[], css = '') {
  const tab = await browser.newPage()
  try {
    await tab.setContent(`<!doctype html><meta charset="utf-8"><style>${css}</style>${svgs.join('\n')}`)
    const margins = await tab.evaluate(marginsInPage)
    expect(margins.map((texts) => texts.length)).toEqual(svgs.map(() => 2))
    return margins.flatMap((texts, at) =>
      texts.flatMap((text) => (text.marginPx < marginMinPx ? { at, name: samples[at]?.name, ...text } : [])),
    )
  } finally {
    await tab.close()
  }
}

/** Runs inside the page: the visible texts of each badge with the room between them and the part that they stand in. */
async function marginsInPage() {
  const texts = Array.from(document.querySelectorAll('text'), (text) => text.textContent ?? '')
  await Promise.all(
    [...document.fonts].map((face) => document.fonts.load(`11px ${face.family}`, texts.join(''))),
  )
  await document.fonts.ready
  return Array.from(document.querySelectorAll('svg'), (svg) => {
    const parts = Array.from(svg.querySelectorAll('rect[fill^="#"]'), (part) => part.getBoundingClientRect())
    const visible = Array.from(svg.querySelectorAll('text')).filter(
      (text) =>
        text.closest('g[aria-hidden][fill="#010101"]') === null && text.getAttribute('aria-hidden') === null,
    )
    return visible.map((text) => {
      const box = text.getBoundingClientRect()
      const middle = (box.left + box.right) / 2
      const margins = parts
        .filter(({ left, right, width }) => width > 1 && left < middle && middle < right)
        .map(({ left, right }) => Math.min(box.left - left, right - box.right))
      return {
        text: text.textContent,
        marginPx: Math.round(Math.max(...margins) * 10) / 10,
        widthPx: Math.round(box.width),
      }
    })
  })
}
