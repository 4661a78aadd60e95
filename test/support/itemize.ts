import { itemizeSteps } from '../../src/text/itemize.ts'
import { atOnce } from '../../src/text/steps.ts'

/** Splits a cleaned text whose fonts are loaded, at once. */
export function itemize(request: Parameters<typeof itemizeSteps>[0]) {
  return atOnce(itemizeSteps(request))
}
