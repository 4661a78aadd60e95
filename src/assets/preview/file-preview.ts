import { nonEmptyText } from './clean-text.ts'
import { mediaType } from './content-type.ts'
import { fileName } from './file-name.ts'
import type { PageOrigin } from './page-fields.ts'
import type { PageFields, PreviewImage, PreviewMedia } from './preview.ts'

/** The preview of a file that is no HTML: its name, and its URL as image, video or audio. */
export function filePreview({ url, headers }: PageOrigin): PageFields {
  const type = mediaType(headers['content-type'] ?? '')
  const kind = kindOf(type)
  const media: PreviewMedia = {
    url,
    secure_url: url.startsWith('https:') ? url : null,
    type,
    width: null,
    height: null,
  }
  const image: PreviewImage | null = kind === 'image' ? { ...media, alt: null, source: 'url' } : null
  const name = fileName(url, headers['content-disposition'] ?? '')
  return {
    canonical: null,
    type: kind,
    title: name.title,
    description: null,
    site_name: null,
    lang: null,
    dir: null,
    author: null,
    authors: [],
    published: null,
    modified: null,
    section: null,
    tags: [],
    image,
    images: image === null ? [] : [image],
    videos: kind === 'video' ? [media] : [],
    audios: kind === 'audio' ? [media] : [],
    player: null,
    icon: null,
    icons: [],
    logo: null,
    manifest: null,
    theme_color: null,
    feeds: [],
    oembed: null,
    alternates: [],
    fediverse_creator: null,
    robots: { meta: null, header: nonEmptyText(headers['x-robots-tag']) ?? null },
    og: {},
    twitter: {},
    jsonld: { types: [] },
    sources: { type: 'content-type', title: name.source, ...(image !== null && { image: 'url' }) },
    refresh: null,
    warnings: ['not_html'],
  }
}

function kindOf(type: string): string {
  const [family = ''] = type.split('/')
  return ['image', 'video', 'audio'].includes(family) ? family : 'file'
}
