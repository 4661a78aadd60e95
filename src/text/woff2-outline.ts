import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Bits of the flag that a font keeps for each point. */
const [onCurve, xShort, yShort, repeats, xSame, ySame, overlaps] = [1, 2, 4, 8, 16, 32, 64] as const

/** The points of one glyph as a font has them: flags, then x, then y, all as differences. The memory is used again. */
export class Woff2Outline {
  private flags = new Uint8Array(0)
  private xs = new Uint8Array(0)
  private ys = new Uint8Array(0)
  private flagsLength = 0
  private xsLength = 0
  private ysLength = 0
  private lastFlag = -1
  private repeated = 0
  private left = 0
  private right = 0
  private bottom = 0
  private top = 0

  /**
   * Reads a point for each flag of the stream, which says how many bytes hold its distance from the one before.
   * @throws RangeError where the bytes end too early
   */
  read(packedFlags: Uint8Array, stream: ByteReader, isOverlapping: boolean): void {
    const count = packedFlags.length
    this.makeRoom(count)
    const { bytes } = stream
    let { at } = stream
    let [x, y, dx, dy] = [0, 0, 0, 0]
    for (let point = 0; point < count; point++) {
      const packed = packedFlags[point] ?? 0
      const code = packed & 0x7f
      const first = bytes[at++] ?? 0
      dx = 0
      dy = 0
      if (code < 10) dy = ((code & 14) << 7) + first
      else if (code < 20) dx = (((code - 10) & 14) << 7) + first
      else if (code < 84) {
        dx = 1 + ((code - 20) & 0x30) + (first >> 4)
        dy = 1 + (((code - 20) & 0x0c) << 2) + (first & 0x0f)
      } else if (code < 120) {
        dx = 1 + ((((code - 84) / 12) | 0) << 8) + first
        dy = 1 + ((((code - 84) % 12) >> 2) << 8) + (bytes[at++] ?? 0)
      } else if (code < 124) {
        const second = bytes[at++] ?? 0
        dx = (first << 4) + (second >> 4)
        dy = ((second & 0x0f) << 8) + (bytes[at++] ?? 0)
      } else {
        dx = (first << 8) + (bytes[at++] ?? 0)
        dy = ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0)
        at += 2
      }
      // The lowest bit is the sign of the one distance that there is, or of x; then the next one is that of y.
      if ((code & 1) === 0) dx = -dx
      if (((code < 10 ? code : code >> 1) & 1) === 0) dy = -dy
      x += dx
      y += dy
      this.addPoint(dx, dy, (packed < 0x80 ? onCurve : 0) | (isOverlapping && point === 0 ? overlaps : 0))
      this.extendTo(x, y, point === 0)
    }
    if (at > bytes.length) throw new RangeError('The bytes end too early')
    stream.at = at
  }

  /** Writes the box around the points. Returns its left side. */
  writeBox(writer: ByteWriter): number {
    for (const side of [this.left, this.bottom, this.right, this.top]) writer.uint16(side)
    return this.left
  }

  write(writer: ByteWriter): void {
    writer.add(this.flags.subarray(0, this.flagsLength))
    writer.add(this.xs.subarray(0, this.xsLength))
    writer.add(this.ys.subarray(0, this.ysLength))
  }

  private makeRoom(count: number): void {
    if (2 * count > this.flags.length) {
      this.flags = new Uint8Array(4 * count)
      this.xs = new Uint8Array(4 * count)
      this.ys = new Uint8Array(4 * count)
    }
    this.flagsLength = 0
    this.xsLength = 0
    this.ysLength = 0
    this.lastFlag = -1
    this.repeated = 0
    this.extendTo(0, 0, true)
  }

  private addPoint(dx: number, dy: number, basis: number): void {
    let flag = basis
    if (dx === 0) flag |= xSame
    else if (dx > -256 && dx < 256) {
      flag |= dx > 0 ? xShort | xSame : xShort
      this.xs[this.xsLength++] = dx > 0 ? dx : -dx
    } else {
      this.xs[this.xsLength++] = dx >> 8
      this.xs[this.xsLength++] = dx
    }
    if (dy === 0) flag |= ySame
    else if (dy > -256 && dy < 256) {
      flag |= dy > 0 ? yShort | ySame : yShort
      this.ys[this.ysLength++] = dy > 0 ? dy : -dy
    } else {
      this.ys[this.ysLength++] = dy >> 8
      this.ys[this.ysLength++] = dy
    }
    this.addFlag(flag)
  }

  /** A flag that repeats is followed by how often. */
  private addFlag(flag: number): void {
    if (flag !== this.lastFlag || this.repeated === 255) {
      this.flags[this.flagsLength++] = flag
      this.lastFlag = flag
      this.repeated = 0
    } else if (this.repeated++ === 0) {
      this.flags[this.flagsLength - 1] = flag | repeats
      this.flags[this.flagsLength++] = 1
    } else this.flags[this.flagsLength - 1] = this.repeated
  }

  private extendTo(x: number, y: number, isFirst: boolean): void {
    if (isFirst || x < this.left) this.left = x
    if (isFirst || x > this.right) this.right = x
    if (isFirst || y < this.bottom) this.bottom = y
    if (isFirst || y > this.top) this.top = y
  }
}
