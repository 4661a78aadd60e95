import { typesOf } from '../linked-data.ts'
import { type FieldRule, meta } from '../rule.ts'

/** The Open Graph type of a page. */
export const typeRules: readonly FieldRule<string>[] = [
  meta('og:type'),
  {
    source: 'jsonld:@type',
    find: ({ linkedData: { primary } }) => {
      const types = primary === undefined ? [] : typesOf(primary)
      return openGraphTypes.find(({ pattern }) => types.some((name) => pattern.test(name)))?.type
    },
  },
  { source: 'default', find: () => 'website' },
]

const openGraphTypes: readonly { readonly pattern: RegExp; readonly type: string }[] = [
  { pattern: /(Article|Posting|Report)$/, type: 'article' },
  { pattern: /^Movie$/, type: 'video.movie' },
  { pattern: /^TVEpisode$/, type: 'video.episode' },
  { pattern: /^TVSeries$/, type: 'video.tv_show' },
  { pattern: /^(VideoObject|Clip)$/, type: 'video.other' },
  { pattern: /^MusicRecording$/, type: 'music.song' },
  { pattern: /^MusicAlbum$/, type: 'music.album' },
  { pattern: /^Product(Group)?$/, type: 'product' },
  { pattern: /^Book$/, type: 'book' },
  { pattern: /^(Person|ProfilePage)$/, type: 'profile' },
]
