import { describe, expect, test } from 'bun:test'
import { loadTheme, themeNames } from '../../src/assets/og/themes.ts'
import { fontFileFor, fontFilesFor } from '../../src/text/coverage/lookup.ts'
import { harfbuzzFile, readFontFileSync } from '../../src/text/font-files.ts'
import { createHarfBuzz } from '../../src/text/harfbuzz.ts'
import { itemize } from '../../src/text/itemize.ts'
import { matchedWeight } from '../../src/text/stems/matched-weight.ts'
import { measureStem } from '../../src/text/stems/measure-stem.ts'
import { hasOpticalSizes } from '../../src/text/style-fonts.ts'
import type { Family, TextStyle } from '../../src/text/types.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'

await woff2Ready

const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

/** A letter with an upright stroke, of each script that stands beside Latin, and the groups of its faces by family. */
const letters: readonly (readonly [letter: string, groups: readonly string[]])[] = [
  ['l', ['serif', 'serif-italic', 'mono', 'more-serif', 'more-serif-italic', 'more-mono', 'sans']],
  ['н', ['serif', 'serif-italic', 'mono', 'more-serif', 'more-mono']],
  ['η', ['serif', 'mono', 'more-serif', 'more-mono']],
  ['十', ['serif-ja', 'serif-sc', 'serif-tc', 'ja', 'sc', 'tc']],
  ['이', ['serif-ko', 'ko']],
  ['\u093E', ['serif-scripts', 'scripts']],
  ['\u09BE', ['serif-scripts', 'scripts']],
  ['า', ['serif-scripts', 'scripts']],
  ['\u17B6', ['serif-scripts', 'scripts']],
]

/** Groups that a family may take a letter from. */
function isOf(family: Family, group: string): boolean {
  if (family === 'mono') return !group.includes('serif')
  return (
    group.includes('serif') &&
    group.includes('italic') === (family === 'serif-italic' && !/-(?:ja|sc|tc|ko|scripts)$/.test(group))
  )
}

const styles = new Map<string, TextStyle>()
for (const theme of themeNames)
  for (const style of Object.values((await loadTheme(theme)).styles))
    styles.set(`${style.family} ${style.weight}`, style)

function stemsOf({ family, weight }: TextStyle, isDisplay: boolean): Readonly<Record<string, number>> {
  const own = fontFileFor(family, 0x20)
  const found: Record<string, number> = {}
  for (const [letter, groups] of letters) {
    for (const group of groups.filter((name) => isOf(family, name))) {
      for (const file of fontFilesFor(group, letter.codePointAt(0) ?? 0)) {
        if (own === undefined) continue
        const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
        const opsz = hasOpticalSizes(file) && isDisplay && family !== 'mono' ? 72 : 14
        const wght = matchedWeight(file, own, weight, isDisplay)
        found[`${letter} ${file.packageName}`] = measureStem(face.font({ wght, opsz }), letter) ?? 0
        face.free()
      }
    }
  }
  return found
}

describe('Letters of a text in several scripts are equally thick, in every pair of faces', () => {
  for (const [name, style] of styles) {
    if (style.family === 'sans') continue
    for (const isDisplay of style.family === 'mono' ? [false] : [true, false]) {
      test(`${name}, ${isDisplay ? 'display' : 'text'}`, () => {
        const stems = stemsOf(style, isDisplay)
        const widths = Object.values(stems)
        expect(widths.length).toBeGreaterThan(5)
        const apart = Object.entries(stems).filter(
          ([, width]) => width * 1.1 < Math.max(...widths) || width > Math.min(...widths) * 1.1,
        )
        expect(apart).toEqual([])
      })
    }
  }
})

describe('The faces of a serif card', () => {
  function facesOf(text: string, family: Family = 'serif'): string[] {
    const { items } = itemize({ text, family, lang: undefined, direction: 'ltr' })
    const faces = items.flatMap((item) => (item.kind === 'word' ? [item.file.packageName] : []))
    return [...new Set(faces)].map((face) => face.replace(/^.*\//, ''))
  }
  const cases: readonly [text: string, faces: readonly string[]][] = [
    ['Заметки о Python 2027: сад', ['source-serif-4']],
    ['Ελληνικά και Python', ['source-serif-4']],
    ['Notes on Python 2027', ['newsreader']],
    ['庭の Python 2027', ['noto-serif-jp', 'newsreader']],
    ['读书', ['noto-serif-sc']],
    ['정원', ['noto-serif-kr']],
    ['बगीचा', ['noto-serif-devanagari']],
    ['বাগান', ['noto-serif-bengali']],
    ['தோட்டம்', ['noto-serif-tamil']],
    ['สวน', ['noto-serif-thai']],
    ['សួន', ['noto-serif-khmer']],
    ['גינה', ['noto-serif-hebrew']],
    ['حديقة', ['noto-naskh-arabic']],
    ['తోట Python 2027', ['noto-sans-telugu', 'inter-ui']],
    ['CO₂ 10⁻⁹ ℃', ['newsreader', 'noto-serif']],
  ]
  for (const [text, faces] of cases) test(text, () => expect(facesOf(text)).toEqual([...faces]))

  test('Kazakh words of a monospaced text are monospaced', () =>
    expect(facesOf('Жазба: ғылым және бағбандық', 'mono')).toEqual(['jetbrains-mono', 'noto-sans-mono']))
})
