/** First and last of the blocks of the Latin, Greek and Cyrillic scripts: engines disagree on what the newest letters are. */
const blocks = [
  0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a, 0xaa, 0xaa, 0xb5, 0xb5, 0xba, 0xba, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff,
  0x370, 0x52f, 0x1c80, 0x1c8f, 0x1d00, 0x1dbf, 0x1e00, 0x1fff, 0x2c60, 0x2c7f, 0x2de0, 0x2dff, 0xa640,
  0xa69f, 0xa720, 0xa7ff, 0xab30, 0xab6f, 0xfb00, 0xfb06,
]

/** Whether a character is a letter or digit of the alphabets whose words are set in one face. */
export function isWordLetter(code: number): boolean {
  for (let at = 0; at < blocks.length; at += 2)
    if (code >= (blocks[at] ?? 0) && code <= (blocks[at + 1] ?? 0)) return true
  return false
}

export function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019
}
