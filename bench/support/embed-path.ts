import { embedUrl } from '../../src/client/index.ts'

/** The words of the card that is asked for again and again. */
export const sampleWords = {
  title: 'How we cut cold starts',
  subtitle: 'A field report',
  author: 'Ada Lovelace',
}

/** Path and query of an embed URL of a new key of the server at `url`. */
export async function embedPath(url: string): Promise<string> {
  const { id, secret } = (await (await fetch(`${url}/api/key`)).json()) as { id: string; secret: string }
  const { pathname, search } = new URL(await embedUrl(`${url}/api/og`, sampleWords, { key: id, secret }))
  return pathname + search
}
