import { brotliDecompressSync } from 'node:zlib'
import { packedModel } from './model.generated.ts'

/** Weight of each letter or group of letters at a distance from a boundary: what a feature's name says. */
type Weights = Readonly<Record<string, number>>

interface Feature {
  /** Offsets from the boundary between which the letters stand. */
  readonly from: number
  readonly to: number
  readonly weights: ReadonlyMap<string, number>
}

const spans: Readonly<Record<string, readonly [from: number, to: number]>> = {
  UW1: [-3, -2],
  UW2: [-2, -1],
  UW3: [-1, 0],
  UW4: [0, 1],
  UW5: [1, 2],
  UW6: [2, 3],
  BW1: [-2, 0],
  BW2: [-1, 1],
  BW3: [0, 2],
  TW1: [-3, 0],
  TW2: [-2, 1],
  TW3: [-1, 2],
  TW4: [0, 3],
}

let model: { readonly features: readonly Feature[]; readonly base: number } | undefined

/**
 * Offsets at which a Japanese phrase (bunsetsu) starts: a content word with the particles and endings that follow it.
 * The sum of the weights of the letters around a place decides; integers only, so every engine agrees.
 */
export function phraseStarts(text: string): ReadonlySet<number> {
  model ??= unpack()
  const { features, base } = model
  const starts = new Set<number>()
  for (let at = 1; at < text.length; at++) {
    let score = base
    for (const { from, to, weights } of features) {
      if (at + from >= 0) score += weights.get(text.slice(at + from, at + to)) ?? 0
    }
    if (score > 0) starts.add(at)
  }
  return starts
}

function unpack() {
  const json = brotliDecompressSync(Buffer.from(packedModel, 'base64')).toString()
  const groups: Readonly<Record<string, Weights>> = JSON.parse(json)
  const features = Object.entries(groups).map(([name, group]): Feature => {
    const [from, to] = spans[name] ?? [0, 0]
    return { from, to, weights: new Map(Object.entries(group)) }
  })
  const sum = Object.values(groups)
    .flatMap((group) => Object.values(group))
    .reduce((total, weight) => total + weight, 0)
  return { features, base: -sum / 2 }
}
