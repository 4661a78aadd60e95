/** Returns the text of a line that is a label of the line behind it, such as `Deadline` or `Published:`, else ''. */
export function labelOf(line: string): string {
  return line.length <= labelCharsMax && !/\d/.test(line) ? line : ''
}

const labelCharsMax = 30
