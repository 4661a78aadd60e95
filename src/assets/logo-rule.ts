import { iconMistake } from './icon-mistake.ts'
import type { Rule } from './kit/asset.ts'

/**
 * Refuses a logo that does not exist, because a picture without it would not be what was asked for.
 * `dataMistake` judges a logo that is a file in the URL (`data:`), and says what is wrong as the end of a sentence.
 */
export function logoRule(dataMistake: (logo: string) => string | undefined): Rule {
  return ({ logo }) => {
    if (typeof logo !== 'string') return undefined
    const message = logo.startsWith('data:') ? dataMistake(logo) : iconMistake(logo)
    return message === undefined ? undefined : { parameter: 'logo', message }
  }
}
