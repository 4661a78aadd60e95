/** @jsxImportSource #jsx */
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { findIcon } from '../../assets/icons.ts'
import type { Asset } from '../../assets/kit/asset.ts'
import { settings } from '../../config.ts'
import { basePathOf } from '../../http/base-path.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { projectFile } from '../../lib/package-files.ts'
import { fill } from '../../lib/texts.ts'
import { headOf, layout } from '../layout.tsx'
import { contentsNav, docsSearch, folded, linkList } from '../parts/elements.tsx'
import { picturePath } from '../pictures.ts'
import { parameterId } from '../reference/asset-section.tsx'
import { possibleErrors } from '../reference/errors-page.tsx'
import { parametersOf } from '../reference/parameters.ts'
import botText from '../texts/bot.md' with { type: 'text' }
import { dividedGuides, type Guide, guideGroups, guidePath, guides, markdownPath } from './guides.ts'
import { guidePicture, prose, type RenderedMarkdown, renderMarkdown } from './markdown.tsx'

const exampleOrigin = 'https://mintmark.example'

/** Reads and renders a guide. Examples name `origin`, so that they run as they stand. */
async function readGuide(guide: Guide, origin: string): Promise<RenderedMarkdown> {
  const { picture, summary, oldAnchors, isTheme = false } = guide
  let blocks = 0
  return renderMarkdown(await sourceOf(guide, origin), (href) => linkFrom(guide, href, guidePath), {
    picture: picture && guidePicture(picturePath({ file: picture }), summary),
    oldAnchors,
    afterCode: ({ lang, text }) =>
      isTheme &&
      lang === 'yaml' &&
      !text.startsWith('#') &&
      guidePicture(themePath(++blocks), 'The card now'),
  })
}

/** A guide as Markdown. Its links lead to other guides as Markdown; those that lead to no page are their text alone. */
export async function guideMarkdown(guide: Guide, origin: string): Promise<string> {
  const source = await sourceOf(guide, origin)
  return source.replace(markdownLink, (_, text: string, href: string) => {
    const target = linkFrom(guide, href, markdownPath)
    if (target === undefined) return text
    return `[${text}](${target.startsWith('/') ? origin : ''}${target})`
  })
}

const markdownLink = /(?<!!)\[([^[\]]+)\]\(([^()\s]+)\)/g

async function sourceOf({ file }: Guide, origin: string): Promise<string> {
  const source = await readFile(projectFile(file), 'utf8')
  return source.replaceAll(exampleOrigin, origin)
}

export async function guidePage(guide: Guide, origin: string): Promise<Markup> {
  const { title, body, headings } = await readGuide(guide, origin)
  const head = {
    title: `${title} · Mintmark`,
    description: guide.summary,
    origin,
    path: guidePath(guide),
    shareName: guide.slug,
    markdownPath: markdownPath(guide),
  }
  return layout(
    head,
    <div class="docs guides">
      {guideList(guide)}
      <div class="text">
        {body}
        {neighbours(guide)}
      </div>
      {headings.length > 1 && contentsNav(linkList(headings.map(({ id, text }) => [`#${id}`, text])))}
    </div>,
  )
}

export function guidesPage(origin: string): Markup {
  return layout(
    headOf('guides', origin),
    <div class="docs guides">
      {guideList()}
      <article>
        <h1>Guides</h1>
        {guideGroups.map(({ title, guides }) => (
          <section>
            <h2>{title}</h2>
            <div class="tiles">
              {guides.map((guide) => (
                <a class="card" href={guidePath(guide)}>
                  {logo(guide)}
                  <b>{guide.label}</b>
                  <span>{guide.summary}</span>
                </a>
              ))}
            </div>
          </section>
        ))}
      </article>
    </div>,
  )
}

function logo({ logo: name = '' }: Guide): Child {
  const found = findIcon(name)
  return (
    found && (
      <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
        <path d={found.d} />
      </svg>
    )
  )
}

/** The page of a guide that was divided: below each of its anchors, a link to where that text is now. */
export function dividedGuidePage(slug: string, origin: string): Markup {
  const { title, parts } = dividedGuides[slug] ?? { title: slug, parts: {} }
  const description = 'This guide has become several.'
  return layout(
    { title: `${title} · Mintmark`, description, origin },
    <div class="docs guides">
      {guideList()}
      <div class="text">
        <article class="guide">
          <h1>{title}</h1>
          <p>{description}</p>
          <ul>
            {Object.entries(parts).map(([anchor, target]) => (
              <li id={anchor}>
                <a href={`/docs/${target}`}>{labelOf(target)}</a>
              </li>
            ))}
          </ul>
        </article>
      </div>
    </div>,
  )
}

function labelOf(target: string): string {
  const [path, anchor] = target.split('#')
  const label = guides.find(({ slug }) => slug === path)?.label ?? 'All guides'
  return anchor === undefined ? label : `${label}: ${anchor.replace(/^\d-/, '').replaceAll('-', ' ')}`
}

function guideList(current?: Guide): Markup {
  return (
    <nav class="guide-list" aria-label="Guides" tabindex="0">
      {docsSearch()}
      {folded('All guides', [
        <a href="/docs">Reference</a>,
        guideGroups.map(({ title, guides }) => [
          <b>{title}</b>,
          guides.map((guide) => (
            <a href={guidePath(guide)} aria-current={guide === current && 'page'}>
              {guide.label}
            </a>
          )),
        ]),
      ])}
    </nav>
  )
}

function neighbours(guide: Guide): Markup {
  const index = guides.indexOf(guide)
  function link(rel: string, text: string, to: Guide | undefined): Child {
    return (
      to && (
        <a class="card" rel={rel} href={guidePath(to)}>
          {[text, <b>{to.label}</b>]}
        </a>
      )
    )
  }
  return (
    <nav class="tiles" aria-label="Next and previous guide">
      {[link('prev', 'Previous', guides[index - 1]), link('next', 'Next', guides[index + 1])]}
    </nav>
  )
}

function themePath(name: string | number): string {
  return picturePath({ file: `theme-of-${name}.svg` })
}

/** Links to other guides become links to their pages, those to example themes to a card. Other files, such as decisions, keep their text alone. */
function linkFrom({ file }: Guide, href: string, pathOf: (guide: Guide) => string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(file), path)
  const found = guides.find((guide) => guide.file === target)
  const [, example] = /^examples\/themes\/(\w+)\.yaml$/.exec(target) ?? []
  if (example !== undefined) return themePath(example)
  if (found === undefined) return undefined
  return pathOf(found) + (anchor === undefined ? '' : `#${anchor}`)
}

/** `/bot`: what our fetcher requests, at most `perMinute` from one domain, and how to block it. */
export function botPage(product: string, perMinute: number, origin: string): Markup {
  const head = { ...headOf('bot', origin), title: `${product}, the fetcher of Mintmark` }
  const values = { product, perMinute, withoutKey: Math.floor(perMinute / 5) }
  return layout(head, <article class="prose">{prose(fill(botText, values))}</article>)
}

type Entry = readonly [path: string, group: string, page: string, heading: string, words: string]

/** Longest text of a section, in characters. Sections that are longer are tables of settings or results. */
const wordsMax = 1200

/** `/docs/search.json`: what the search of the documentation looks through, in the browser. */
export async function searchIndex(
  assets: readonly Asset[],
  isPaid: boolean,
  origin: string,
): Promise<string> {
  const sections = await Promise.all(
    guides.map(async (guide): Promise<readonly Entry[]> => {
      const { sections } = await readGuide(guide, origin)
      return sections.map(({ id, text, words }, index) => [
        guidePath(guide) + (index === 0 ? '' : `#${id}`),
        'Guides',
        guide.label,
        text,
        words.slice(0, wordsMax).trim(),
      ])
    }),
  )
  const entries = [
    ...assets.flatMap(assetEntries),
    ...sections.flat(),
    ...Object.entries(settings).map(([name, { doc }]): Entry => {
      return ['/docs/settings#all-settings', 'Settings', 'Settings', name, doc]
    }),
    ...possibleErrors(isPaid).map(([code, { title, remedy }]): Entry => {
      return [`/docs/errors#${code}`, 'Errors', 'Errors', code, `${title}. ${remedy}`]
    }),
  ]
  const basePath = basePathOf(origin)
  return JSON.stringify(entries.map(([path, ...entry]) => [basePath + path, ...entry]))
}

function assetEntries({ id, title, summary, query }: Asset): readonly Entry[] {
  const path = `/docs#${id}`
  const parameters = parametersOf(query).map(({ name, description }): Entry => {
    return [`/docs#${parameterId(id, name)}`, 'Reference', title, name, description]
  })
  return [[path, 'Reference', 'Reference', title, `${summary}.`], ...parameters]
}
