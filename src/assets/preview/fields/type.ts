import { typesOf } from '../linked-data.ts'
import { meta, type Rule } from '../rule.ts'

/** Open Graph's word for what the page is about. */
export const typeRules: readonly Rule<string>[] = [
  meta('og:type'),
  {
    source: 'jsonld:@type',
    find: ({ linkedData: { primary } }) => {
      const types = primary === null ? [] : typesOf(primary)
      return words.find(({ pattern }) => types.some((type) => pattern.test(type)))?.word ?? null
    },
  },
  { source: 'default', find: () => 'website' },
]

const words: readonly { readonly pattern: RegExp; readonly word: string }[] = [
  { pattern: /(Article|Posting|Report)$/, word: 'article' },
  { pattern: /^Movie$/, word: 'video.movie' },
  { pattern: /^TVEpisode$/, word: 'video.episode' },
  { pattern: /^TVSeries$/, word: 'video.tv_show' },
  { pattern: /^(VideoObject|Clip)$/, word: 'video.other' },
  { pattern: /^MusicRecording$/, word: 'music.song' },
  { pattern: /^MusicAlbum$/, word: 'music.album' },
  { pattern: /^Product(Group)?$/, word: 'product' },
  { pattern: /^Book$/, word: 'book' },
  { pattern: /^(Person|ProfilePage)$/, word: 'profile' },
]
