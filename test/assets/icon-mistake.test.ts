import { describe, expect, test } from 'bun:test'
import { badgeLogoRule as badgeRule } from '../../src/assets/badge/query.ts'
import { iconMistake, logoRule } from '../../src/assets/logo-rule.ts'
import { logoDataMistake } from '../../src/assets/og/logo/own-logo.ts'

const cardRule = logoRule(logoDataMistake)

describe('a name that no icon has', () => {
  test.each([
    ['githubb', 'github'],
    ['GitHub Action', 'githubactions'],
    ['Visual Paradim', 'visualparadigm'],
    ['the GitHub logo', 'github'],
    ['node dot j', 'nodedotjs'],
    ['Android Studio Code', 'androidstudio'],
    ['tailwind', 'tailwindcss'],
  ])('%s is told the icon that was meant', (name, slug) => {
    expect(iconMistake(name)).toBe(`is not the name of an icon; did you mean ${slug}?`)
  })

  test.each(['Visual Studio Code', 'zzzz', 'q', '私', '...', 'java', 'x'.repeat(101)])(
    '%s is told where all are, where none is near',
    (name) => {
      expect(iconMistake(name)).toBe('is not the name of an icon; simpleicons.org shows them all')
    },
  )

  test('is told so by cards and by badges', () => {
    for (const rule of [cardRule, badgeRule])
      expect(rule({ logo: 'githubb' })).toEqual({
        parameter: 'logo',
        message: 'is not the name of an icon; did you mean github?',
      })
  })
})
