/** The FNV-1a hash of the UTF-16 units from `start` to `end`, as a signed 32-bit integer. Others can make texts that have the same. */
export function hashText(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5 | 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
