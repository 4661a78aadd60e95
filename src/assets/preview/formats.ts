import type { Preview } from './preview.ts'

/** The answer for `format=oembed`: a link by oEmbed 1.0. */
export function toOembed(preview: Preview): Readonly<Record<string, string | number>> {
  const { image, cache } = preview
  return withoutNulls({
    version: '1.0',
    type: 'link',
    title: preview.title,
    author_name: preview.author,
    provider_name: preview.site_name ?? new URL(preview.final_url).hostname,
    provider_url: new URL(preview.final_url).origin,
    url: preview.canonical ?? preview.final_url,
    description: preview.description,
    thumbnail_url: image?.secure_url ?? image?.url ?? null,
    thumbnail_width: image?.width ?? null,
    thumbnail_height: image?.height ?? null,
    cache_age: Math.max(0, cache.ttl - cache.age),
  })
}

/** The answer for `format=microlink`. */
export function toMicrolink(preview: Preview): object {
  function media(
    item: { url: string; type: string | null; width: number | null; height: number | null } | undefined,
  ) {
    return item === undefined
      ? null
      : { url: item.url, type: item.type, width: item.width, height: item.height }
  }
  return {
    status: 'success',
    statusCode: preview.http_status,
    redirects: preview.redirects.map(({ status, url }) => ({ statusCode: status, url })),
    data: {
      title: preview.title,
      description: preview.description,
      lang: preview.lang,
      author: preview.author,
      publisher: preview.site_name ?? new URL(preview.final_url).hostname,
      image: media(preview.image ?? undefined),
      logo:
        preview.icon === null && preview.logo === null ? null : { url: preview.logo ?? preview.icon?.url },
      video: media(preview.videos[0]),
      audio: media(preview.audios[0]),
      date: preview.published,
      url: preview.canonical ?? preview.final_url,
    },
  }
}

function withoutNulls(
  values: Readonly<Record<string, string | number | null>>,
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  )
}
