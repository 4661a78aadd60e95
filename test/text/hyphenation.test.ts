import { expect, test } from 'bun:test'
import { syllableStarts } from '../../src/text/hyphenation.ts'
import { hyphenationFiles } from '../../src/text/hyphenation-files.ts'
import { atOnce } from '../../src/text/steps.ts'

// The package has no types.
const { default: createHyphenator } = await import('hyphen' as string)

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
    const hyphenate = createHyphenator(patterns, { hyphenChar: '|', minWordLength: 1 })
    for (const word of (words[lang] ?? '').split(' ')) {
      const parts = (hyphenate(word) as string).split('|')
      const starts = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length)
      const inside = starts.filter((at) => at >= 3 && at <= word.length - 3)
      expect([word, atOnce(syllableStarts(word, `${lang}-XX`))]).toEqual([word, inside])
    }
  },
)

test('other languages have none', () => {
  expect(atOnce(syllableStarts('Donaudampfschifffahrt', 'en'))).toEqual([])
  expect(atOnce(syllableStarts('Donaudampfschifffahrt', undefined))).toEqual([])
})
