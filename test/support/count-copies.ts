/** How many bytes are copied into new buffers while this work is done: what a reader of a stream does again and again when it is quadratic. */
export async function countCopiedBytes(work: () => unknown): Promise<number> {
  const { concat } = Buffer
  let copied = 0
  Buffer.concat = (list, length) => {
    const joined = concat(list, length)
    copied += joined.length
    return joined
  }
  try {
    await work()
    return copied
  } finally {
    Buffer.concat = concat
  }
}
