/** Sorted code points as text: ranges in hex, `20-7e,a0,a9`. */
export function writeRanges(points: readonly number[]): string {
  const ranges: string[] = []
  for (let index = 0; index < points.length; ) {
    const first = points[index] ?? 0
    let last = first
    while (points[index + 1] === last + 1) last = points[++index] ?? last
    ranges.push(first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`)
    index++
  }
  return ranges.join(',')
}

/** Says of a code point whether the ranges have it. */
export function readRanges(written: string): (point: number) => boolean {
  /** One bit for each of 256 code points. */
  const pages = new Map<number, Uint32Array>()
  for (const range of written === '' ? [] : written.split(',')) {
    const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16))
    for (let point = first; point <= last; point++) {
      const page = pages.get(point >> 8) ?? new Uint32Array(8)
      const word = (point & 0xff) >> 5
      page[word] = (page[word] ?? 0) | (1 << (point & 31))
      pages.set(point >> 8, page)
    }
  }
  return (point) => (((pages.get(point >> 8)?.[(point & 0xff) >> 5] ?? 0) >>> (point & 31)) & 1) === 1
}
