import type { Rule } from '../../asset.ts'
import { iconMistake } from '../../icon-mistake.ts'
import { isLogoData, logoDataMistake } from './logo-data.ts'

/** A logo that nobody has is an error, never a card without it. */
export function logoRule({ logo }: Parameters<Rule>[0]): ReturnType<Rule> {
  if (typeof logo !== 'string') return undefined
  const message = isLogoData(logo) ? logoDataMistake(logo) : iconMistake(logo)
  return message === undefined ? undefined : { parameter: 'logo', message }
}
