/** The first address behind the canvas. */
let base: usize = aligned(__heap_base)
/** The first address behind the latest block. */
let top: usize = 0

/** Empties memory, and takes what stays until the next call of this function. Returns its address. */
export function takeCanvas(bytes: usize): usize {
  const start: usize = aligned(__heap_base)
  base = aligned(start + bytes)
  top = base
  reach(base)
  return start
}

/** Gives back all blocks that were taken after the canvas. */
export function freeBlocks(): void {
  top = base
}

/** Takes a block, whose content is arbitrary. Returns its address. */
export function takeBlock(bytes: usize): usize {
  const start = top
  top = aligned(start + bytes)
  reach(top)
  return start
}

/** Lets the latest block end at an address. */
export function endBlock(end: usize): void {
  top = aligned(end)
}

/** The end of the memory there is. */
export function memoryEnd(): usize {
  return (<usize>memory.size()) << 16
}

/** Makes memory reach an address; twice as far at least as before, because it cannot shrink and each growth costs. */
export function reach(end: usize): void {
  if (end <= memoryEnd()) return
  const pages = <i32>((end + 0xffff) >>> 16) - memory.size()
  if (memory.grow(max(pages, 16)) < 0) unreachable()
}

function aligned(address: usize): usize {
  return (address + 15) & ~15
}
