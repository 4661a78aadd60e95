/**
 * Walks over the compact syntax of path data, in which `1-.5.5` is three numbers.
 * Reading characters is several times faster than splitting and `Number()`.
 */
export class PathScanner {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The next command's letter; `previous` again when only numbers follow; '' at the end. */
  nextCommand(previous: string): string {
    this.skipSeparators()
    if (this.at >= this.text.length) return ''
    const letter = this.text.charAt(this.at)
    if (commands.has(letter)) {
      this.at++
      return letter
    }
    if (previous === 'M') return 'L'
    if (previous === 'm') return 'l'
    if (previous === '' || previous === 'Z' || previous === 'z') throw this.unreadable('a command')
    return previous
  }

  isAtEnd(): boolean {
    this.skipSeparators()
    return this.at >= this.text.length
  }

  /** The next number. */
  next(): number {
    this.skipSeparators()
    const { text } = this
    let at = this.at
    let code = text.charCodeAt(at)
    const sign = code === minus ? -1 : 1
    if (code === minus || code === plus) code = text.charCodeAt(++at)
    const start = at
    let value = 0
    // Power of ten for the digits behind the point; 0 before it.
    let divisor = 0
    for (; isDigit(code) || (code === point && divisor === 0); code = text.charCodeAt(++at)) {
      if (code === point) divisor = 1
      else {
        value = value * 10 + code - 48
        divisor *= 10
      }
    }
    if (at - start === (divisor === 0 ? 0 : 1)) throw this.unreadable('a number')
    const end = this.exponentEnd(at)
    // The loop's count is exact for so many digits.
    if (end === at && end - start <= 15) value /= divisor || 1
    else value = Number(text.slice(start, end))
    if (value === Infinity) throw this.unreadable('a number that is not too large')
    this.at = end
    return sign * value
  }

  /** An arc's flag, which nothing need separate from the number behind it. */
  flag(): boolean {
    this.skipSeparators()
    const flag = this.text.charAt(this.at++)
    if (flag !== '0' && flag !== '1') throw this.unreadable('a flag')
    return flag === '1'
  }

  /** Where a number with `e-3` behind it ends; `at` without one. No command is called E. */
  private exponentEnd(at: number): number {
    const { text } = this
    if ((text.charCodeAt(at) | 32) !== 101) return at
    const sign = text.charCodeAt(at + 1)
    let end = sign === minus || sign === plus ? at + 2 : at + 1
    const first = end
    while (isDigit(text.charCodeAt(end))) end++
    return end === first ? at : end
  }

  private skipSeparators(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      // NaN at the end fails every comparison.
      if (code === 44 || code <= 32) this.at++
      else return
    }
  }

  private unreadable(wanted: string): RangeError {
    return new RangeError(`path data: ${wanted} expected at character ${this.at}`)
  }
}

const commands = new Set('MmLlHhVvQqTtCcSsAaZz')
const minus = 45
const plus = 43
const point = 46

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
