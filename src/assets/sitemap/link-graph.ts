export interface LinkedPage {
  /** How many pages link to it. */
  readonly count: number
  /** Place among all links, in the order in which they were found. */
  readonly order: number
  /** Texts of the links, the most frequent first. */
  readonly texts: readonly string[]
}

/** The links between the pages of a site. */
export class LinkGraph {
  readonly #targets = new Map<string, Target>()

  add(from: string, to: string, text: string): void {
    if (from === to || this.#targets.size >= targetsMax) return
    const target = this.#targets.get(to) ?? new Target(this.#targets.size)
    this.#targets.set(to, target)
    target.add(from, text)
  }

  has(url: string): boolean {
    return this.#targets.has(url) || this.#targets.has(withOtherEnd(url))
  }

  /** Pages are the same with a slash at the end or without. */
  linksTo(url: string): LinkedPage | undefined {
    return (this.#targets.get(url) ?? this.#targets.get(withOtherEnd(url)))?.toLinkedPage()
  }
}

class Target {
  readonly #order: number
  readonly #from = new Set<string>()
  readonly #texts = new Map<string, number>()

  constructor(order: number) {
    this.#order = order
  }

  add(from: string, text: string): void {
    this.#from.add(from)
    if (text !== '' && (this.#texts.has(text) || this.#texts.size < textsMax))
      this.#texts.set(text, (this.#texts.get(text) ?? 0) + 1)
  }

  toLinkedPage(): LinkedPage {
    const texts = [...this.#texts].sort(([, one], [, other]) => other - one).map(([text]) => text)
    return { count: this.#from.size, order: this.#order, texts }
  }
}

function withOtherEnd(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`
}

const targetsMax = 10_000
const textsMax = 8
