import { afterAll, beforeAll } from 'bun:test'

interface Ending {
  stop?(): unknown
  close?(): unknown
}

/** What runs now, the newest last. */
const running: { readonly owner: symbol; readonly thing: Ending }[] = []

/**
 * Starts something before the tests of a file or of a group, and ends it after them, the newest first. It may be used
 * within tests and hooks.
 */
export function started<T extends object>(start: () => Promise<T> | T): T {
  const owner = Symbol('started')
  beforeAll(async () => {
    const thing: Ending = await start()
    running.push({ owner, thing })
  })
  afterAll(async () => {
    const at = running.findIndex((each) => each.owner === owner)
    if (at === -1) return
    for (const { thing } of running.splice(at).toReversed()) await (thing.stop?.() ?? thing.close?.())
  })
  const handler: ProxyHandler<T> = {
    get(_, name) {
      const thing = running.find((each) => each.owner === owner)?.thing
      if (thing === undefined) throw new Error('It runs within tests and hooks alone.')
      const value = Reflect.get(thing, name)
      return typeof value === 'function' ? value.bind(thing) : value
    },
    set(_, name, value) {
      const thing = running.find((each) => each.owner === owner)?.thing
      return thing !== undefined && Reflect.set(thing, name, value)
    },
  }
  return new Proxy({} as T, handler)
}
