import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import createHyphenator from 'hyphen'
import { syllableStarts } from '../../src/text/hyphenation.ts'
import { hyphenationFiles } from '../../src/text/hyphenation-files.ts'

const words: Readonly<Record<string, string>> = {
  de: 'Donaudampfschifffahrtsgesellschaft Rechtsschutzversicherungsgesellschaften Straßenbahnhaltestelle übergeordnete',
  nl: 'aansprakelijkheidsverzekering meervoudigepersoonlijkheidsstoornis verantwoordelijkheidsgevoel',
  da: 'speciallægepraksisplanlægning kommunalbestyrelsesmedlemmer arbejdsløshedsunderstøttelse',
  sv: 'realisationsvinstbeskattning produktionsstyrningssystem sjuksköterskeutbildning',
  fi: 'lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas kaupunginvaltuusto',
  hu: 'megszentségteleníthetetlenségeskedéseitekért elkelkáposztásíthatatlanságoskodásaitokért',
}

test.each(Object.keys(hyphenationFiles))(
  'syllables in %s start where the patterns’ own program says',
  async (lang) => {
    const { default: patterns } = await import(`hyphen/${hyphenationFiles[lang]?.file}`)
    const hyphenate = createHyphenator(patterns, { hyphenChar: '|', html: false })
    for (const word of (words[lang] ?? '').split(' ')) {
      const parts = hyphenate(word).split('|')
      const starts = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length)
      const inside = starts.filter((at) => at >= 3 && at <= word.length - 3)
      expect([word, syllableStarts(word, `${lang}-XX`)]).toEqual([word, inside])
    }
  },
)

test('other languages have none', () => {
  expect(syllableStarts('Donaudampfschifffahrt', 'en')).toEqual([])
  expect(syllableStarts('Donaudampfschifffahrt', undefined)).toEqual([])
})

test('no word is kept, however many there are', () => {
  const patterns = createRequire(import.meta.url)('hyphen/patterns/nl.js')
  const known = Object.keys(patterns[2]).length
  for (let n = 0; n < 100; n++) syllableStarts(`verantwoordelijkheid${'e'.repeat(n)}`, 'nl')
  expect(Object.keys(patterns[2]).length).toBe(known)
})
