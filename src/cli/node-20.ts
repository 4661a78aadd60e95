import process from 'node:process'

// Node 20 lacks these. Only the client's command runs there.

URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null)

Map.groupBy ??= <Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) => {
  const groups = new Map<Key, Item[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index)
    index += 1
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

Set.prototype.difference ??= function difference<Item>(this: Set<Item>, other: ReadonlySetLike<unknown>) {
  return new Set([...this].filter((item) => !other.has(item)))
}

process.threadCpuUsage ??= process.cpuUsage
