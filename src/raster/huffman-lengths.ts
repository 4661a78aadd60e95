/**
 * How many bits each symbol gets in a Huffman code, at most `bitsMax`; 0 for those that do not occur. At least two symbols
 * must occur. Where a rare symbol would get more, rare ones count as less rare: next to the best code, and simple.
 */
export function huffmanLengths(counts: Uint32Array, bitsMax: number): Uint8Array {
  let weights = counts
  for (;;) {
    const lengths = unboundedLengths(weights)
    if (lengths.every((length) => length <= bitsMax)) return lengths
    weights = weights.map((weight) => (weight === 0 ? 0 : (weight >>> 1) + 1))
  }
}

/** Joins the two lightest trees again and again: leaves by weight in one queue, joined ones, which come in order, in another. */
function unboundedLengths(counts: Uint32Array): Uint8Array {
  const leaves = Uint16Array.from([...counts.keys()].filter((symbol) => counts[symbol] !== 0)).sort(
    (a, b) => (counts[a] as number) - (counts[b] as number),
  )
  const count = leaves.length
  const weights = new Float64Array(2 * count - 1)
  for (let leaf = 0; leaf < count; leaf++) weights[leaf] = counts[leaves[leaf] as number] as number
  const parents = new Uint16Array(2 * count - 1)
  let [leaf, joined] = [0, count]
  for (let parent = count; parent < 2 * count - 1; parent++) {
    for (let child = 0; child < 2; child++) {
      const isLeaf =
        leaf < count && (joined >= parent || (weights[leaf] as number) <= (weights[joined] as number))
      const lightest = isLeaf ? leaf++ : joined++
      parents[lightest] = parent
      weights[parent] = (weights[parent] as number) + (weights[lightest] as number)
    }
  }
  const depths = new Uint8Array(2 * count - 1)
  for (let node = 2 * count - 3; node >= 0; node--)
    depths[node] = (depths[parents[node] as number] as number) + 1
  const lengths = new Uint8Array(counts.length)
  for (let index = 0; index < count; index++) lengths[leaves[index] as number] = depths[index] as number
  return lengths
}
