import { nonEmptyText } from '../clean-text.ts'
import { asList } from '../linked-data.ts'
import { type FieldRule, listRule, metaContents, type PreviewedPage } from '../rule.ts'

export const tagRules: readonly FieldRule<readonly string[]>[] = [
  listRule('article:tag', (page) => labels(tagKeys.flatMap((key) => metaContents(page, key)))),
  listRule('jsonld:keywords', ({ linkedData: { primary } }) =>
    labels(
      asList(primary?.['keywords']).flatMap((value) =>
        typeof value === 'string' ? value.split(',', labelsMax) : [],
      ),
    ),
  ),
  listRule('meta:news_keywords', (page) => splitMeta(page, 'news_keywords')),
  listRule('meta:keywords', (page) => splitMeta(page, 'keywords')),
]

const tagKeys = ['article:tag', 'og:article:tag', 'og:video:tag', 'video:tag', 'book:tag']

function splitMeta(page: PreviewedPage, key: string): readonly string[] {
  return labels(metaContents(page, key).flatMap((content) => content.split(/[,;]/, labelsMax)))
}

function labels(raw: readonly string[]): readonly string[] {
  return [
    ...new Set(
      raw
        .slice(0, labelsMax)
        .map(nonEmptyText)
        .filter((text) => text !== undefined),
    ),
  ].slice(0, tagsMax)
}

/** How many labels are read to find `tagsMax` different ones. */
const labelsMax = 500
const tagsMax = 50
