/**
 * Line height of the tallest script in a text, as a multiple of the size. Ranges are whole blocks, because engines
 * disagree on new letters.
 */
const factors: readonly (readonly [RegExp, number])[] = [
  [/[\u0F00-\u109F\u1780-\u17FF\u1B00-\u1B7F\uA980-\uA9FF\uAA60-\uAA7F]/, 1.62],
  [
    /[\u0600-\u07FF\u0870-\u08FF\u0E00-\u0EFF\uFB50-\uFDFF\uFE70-\uFEFE\u{11100}-\u{1114F}\u{1E900}-\u{1E95F}]/u,
    1.42,
  ],
  [/[\u0900-\u0DFF\u1800-\u18AF\u1B80-\u1BBF\uABC0-\uABFF\uAAE0-\uAAFF]/, 1.34],
  [/[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\u{20000}-\u{3FFFF}]/u, 1.24],
  [/[\u0590-\u05FF\u1200-\u137F]/u, 1.2],
]
const plain = /^[\u0020-\u052F\u1E00-\u1FFF\u2000-\u2BFF]*$/

/** Smallest line height of the text's scripts; 1.05 for Latin and its likes. */
export function lineHeightFactor(text: string): number {
  if (plain.test(text)) return 1.05
  return factors.find(([script]) => script.test(text))?.[1] ?? 1.05
}
