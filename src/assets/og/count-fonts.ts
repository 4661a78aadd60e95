import type { ParameterError } from '../../errors.ts'
import { cutAfterWord } from '../../lib/human-format.ts'
import type { FontSource } from '../../text/brand-fonts/brand-font.ts'
import { loadCoverage } from '../../text/coverage/lookup.ts'
import { fontChoice } from '../../text/font-choice.ts'
import { sourceOf } from '../../text/style-fonts.ts'
import { isWordLetter } from '../../text/word-letters.ts'
import { styleOf } from './canvas.ts'
import { type FontQuery, fontFilesMax, textIn, textNames } from './query.ts'
import { shownDomain } from './shown-domain.ts'
import { stylesWith, templateOf, templateRoles } from './templates.ts'
import { loadedTheme, loadTheme, themeNames, usualTheme } from './themes.ts'

/** The role of a text, by its parameter, where that has another name. */
const roles: ReadonlyMap<string, string> = new Map([
  ['url', 'domain'],
  ...templateRoles.map(([role, parameter]): [string, string] => [parameter, role]),
])
/** The theme of a brand is not known before the brand is read: the one with the most fonts stands in for it. */
const themeOfBrands = 'paper'
const ownCharacters = ' -…'
const hanMarks = /[“”‘’—…·]/

export async function loadFontCount(): Promise<void> {
  await Promise.all([loadCoverage(), ...themeNames.map(loadTheme)])
}

/** A mistake for each text that alone has characters of too many fonts, else for the one with the most where all have together. */
export function fontMistakes(query: FontQuery): readonly ParameterError[] {
  const counts = textNames.map((name) => ({ name, files: filesOf(query, name) }))
  const total = new Set(counts.flatMap(({ files }) => [...files])).size
  if (total <= fontFilesMax) return []
  const sorted = counts.toSorted((one, other) => other.files.size - one.files.size)
  const alone = sorted.filter(({ files }) => files.size > fontFilesMax)
  return (alone.length > 0 ? alone : sorted.slice(0, 1)).map(({ name, files }) => ({
    parameter: name,
    message: `has characters of ${files.size} font files${alone.length > 0 ? '' : `, with the other texts ${total}`}; a card loads at most ${fontFilesMax}: use fewer rare characters or scripts`,
  }))
}

/** The query with texts that end, after a whole word, before the first character of one font file too many. */
export function cutToFonts<Query extends FontQuery>(query: Query): Query {
  let cut = query
  const loaded = new Set<FontSource>()
  for (const name of textNames) for (const file of filesOf(query, name, '')) loaded.add(file)
  for (const name of textNames) {
    // The beginning of a text may want other forms of Han characters than all of it, and so other files.
    for (;;) {
      const text = textIn(cut, name)
      const end = endWithin(cut, name, loaded)
      if (end === text.length) break
      cut = { ...cut, [name]: end === 0 ? undefined : cutAfterWord(text.slice(0, end)) }
    }
    for (const file of filesOf(cut, name)) loaded.add(file)
  }
  return cut
}

/** The end of a text whose fonts are few enough beside the loaded ones. A domain is shown whole or not at all. */
function endWithin(query: FontQuery, name: string, loaded: ReadonlySet<FontSource>): number {
  const text = shownText(query, name)
  const fontOf = createFontOf(query, name)
  const files = new Set([...loaded, ...filesOf(query, name, '')])
  let end = 0
  for (const character of text) {
    const file = fontOf(character)
    if (file !== undefined && !files.has(file)) {
      if (files.size >= fontFilesMax) return name === 'url' ? 0 : end
      files.add(file)
    }
    end += character.length
  }
  return textIn(query, name).length
}

/** The font files of a text, and of spaces, hyphen and ellipsis; none where there is no text. */
function filesOf(query: FontQuery, name: string, text = shownText(query, name)): ReadonlySet<FontSource> {
  if (shownText(query, name) === '') return new Set()
  const files = [...new Set(text + ownCharacters)].map(createFontOf(query, name))
  return new Set(files.filter((file) => file !== undefined))
}

/** Returns the font of a character as it is by itself: next to others it may have another one of few. */
function createFontOf(query: FontQuery, name: string): (character: string) => FontSource | undefined {
  const theme = query.theme ?? (query.brand === undefined ? usualTheme : themeOfBrands)
  // A theme that does not exist is a mistake that others tell.
  const styles = (loadedTheme(theme) ?? loadedTheme(usualTheme))?.styles
  if (styles === undefined) throw new Error('Fonts are counted once `loadFontCount` is done.')
  const style = styleOf(stylesWith(styles, templateOf(query.template)), roles.get(name) ?? name)
  const fonts = fontChoice(style.family, shownText(query, name), query.lang)
  return (character) => {
    const file = isWordLetter(character.codePointAt(0) ?? 0)
      ? fonts.ofLetter(character)
      : fonts.hasHanMarks && hanMarks.test(character)
        ? fonts.ofHanMark(character)
        : fonts.ofGrapheme(character)
    return file && sourceOf(file, style)
  }
}

function shownText(query: FontQuery, name: string): string {
  const text = textIn(query, name)
  return name === 'url' && text !== '' ? shownDomain(text) : text
}
