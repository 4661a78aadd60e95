import { isAscii, isUtf8 } from 'node:buffer'

/** What bytes say about being UTF-8. `cut`: ASCII that ends in the beginning of a possible multi-byte sequence. */
export type Utf8Evidence = 'ascii' | 'certain' | 'impossible' | 'cut'

/** Text with a few broken sequences among many good ones still counts as UTF-8. */
export function utf8Evidence(bytes: Uint8Array): Utf8Evidence {
  if (isAscii(bytes)) return 'ascii'
  const whole = bytes.subarray(0, bytes.length - incompleteTail(bytes))
  if (isUtf8(whole)) return isAscii(whole) ? 'cut' : 'certain'
  const text = new TextDecoder('utf-8').decode(whole)
  const invalid = text.split('\ufffd').length - 1
  const valid = whole.length > 0 ? (text.match(nonAscii)?.length ?? 0) - invalid : 0
  return valid > invalid * 10 ? 'certain' : 'impossible'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
const nonAscii = /[^\u0000-\u007f]/g

function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}
