/** Signs the vectors with the client and prints the URLs: calls, embed URLs and addresses in the path. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

// The vectors have an end of their own, which is past one day.
Date.now = () => 1_790_000_000_000

const [client = '', vectorsPath = ''] = process.argv.slice(2)
const { embedUrl, signUrl } = await import(client)
const origin = 'https://mintmark.example'
const key = 'mk_2345678abcdefghj'
const urls = []
for (const vector of JSON.parse(readFileSync(vectorsPath, 'utf8')).vectors) {
  const { secret, path, t, asset, ext, parameters = [] } = vector
  if (t !== undefined) {
    urls.push(await signUrl(origin + path, { key, secret }, { t }))
    continue
  }
  if (asset === 'card') {
    // Not an asset yet: its form is reserved.
    urls.push(null)
    continue
  }
  if (asset !== undefined) {
    const { exp, ...rest } = Object.fromEntries(parameters)
    const format = ext.replace('jpg', 'jpeg')
    const options = { exp: exp && Number(exp) }
    urls.push(
      await embedUrl(`${origin}/api/${asset}`, { ...rest, format }, { key: vector.key, secret }, options),
    )
    continue
  }
  const rest = parameters.filter(([name]) => name !== 'key' && name !== 'exp')
  const lists = {}
  for (const [name, value] of rest) lists[name] = [...(lists[name] ?? []), value]
  const own = Object.fromEntries(parameters)
  // Some vectors are of parameters that no asset has.
  const options = { exp: Number(own.exp), form: 'query', check: false }
  urls.push(await embedUrl(origin + path, lists, { key: own.key, secret }, options))
}
console.log(JSON.stringify(urls))
