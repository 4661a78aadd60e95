/**
 * How many characters a piece of work looks at: those that are read one by one, passed by a search or a pattern, or copied
 * by a change of the whole text. The count is the same on every machine, and shows work that grows faster than its text.
 */
export async function charactersLookedAt(work: () => unknown): Promise<number> {
  let count = 0
  const { charCodeAt, indexOf, toLowerCase, trim } = String.prototype
  const { exec } = RegExp.prototype
  String.prototype.charCodeAt = function (at) {
    count += 1
    return charCodeAt.call(this, at)
  }
  String.prototype.indexOf = function (search, from = 0) {
    const found = indexOf.call(this, search, from)
    count += Math.max(0, (found < 0 ? this.length : found) - from)
    return found
  }
  String.prototype.toLowerCase = function () {
    count += this.length
    return toLowerCase.call(this)
  }
  String.prototype.trim = function () {
    count += this.length
    return trim.call(this)
  }
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    const end = match === null ? (this.sticky ? from : text.length) : match.index + match[0].length
    count += Math.max(1, end - from)
    return match
  }
  try {
    await work()
    return count
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, toLowerCase, trim })
    Object.assign(RegExp.prototype, { exec })
  }
}
