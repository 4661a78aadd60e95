/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { readTheme, type ThemeMistake, themeFileText } from '../../src/assets/og/engine/read-theme.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import { themeNames, usualTheme } from '../../src/assets/og/themes.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { Problem } from '../../src/errors.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import { choice } from '../../src/lib/fields.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { memo } from '../../src/lib/memo.ts'
import { capitalized } from '../../src/lib/texts.ts'
import type { AdminDeps } from '../deps.ts'
import { drawnOrGrey, scripts } from '../drawing.ts'
import { menu, postForm, submitButton } from '../parts/elements.tsx'
import { adminPage, adminResponse, problemNote, redirect } from '../parts/layout.tsx'
import { decodeForm } from '../session/form-fields.ts'
import type { AdminRequest } from '../session/guard.ts'
import { brandPictureQuery, findBrand, staleForm } from './brand-actions.ts'
import { revisionField } from './brand-form.ts'
import { cardRows } from './brand-page.tsx'

/** A text of 64 KiB, with line ends of two characters as browsers send them. */
export const themeFormLimits = {
  bytesMax: 2 ** 19,
  partsMax: 8,
  textLengthMax: 2 ** 17,
  arrivalMsMax: 60_000,
}

export const themeQuery = Type.Object({
  from: Type.Optional(choice(themeNames, { description: 'The theme that the editor begins with' })),
})

const otherFields = Type.Object({
  revision: Type.Optional(revisionField),
  preview: Type.Boolean({ default: false }),
})

const formId = 'theme-form'

interface Draft {
  readonly text: string
  readonly mistakes?: readonly ThemeMistake[] | undefined
  readonly warnings?: readonly ThemeMistake[] | undefined
  readonly problem?: string | undefined
  readonly isStored?: boolean
}

export function createThemeEditor(deps: AdminDeps) {
  const { brands, drawing } = deps
  // All pictures of a sheet come with the same text.
  const read = memo(readTheme, 8)

  /** @param upload with the text as browsers send it, its line ends as files have them */
  function textIn({ fields }: MultipartForm): string {
    return (fields.get('text') ?? '').replaceAll('\r\n', '\n')
  }

  return {
    async page({ params, query: { from }, context }: AdminRequest<Static<typeof themeQuery>>) {
      const brand = findBrand(deps, params)
      const { slug, revision } = brand
      const stored = from === undefined ? await brands.themeFile(slug, revision) : undefined
      if (stored !== undefined)
        return themePage(deps, brand, { text: new TextDecoder().decode(stored), isStored: true })
      const { theme = usualTheme } = await brands.load(slug, revision)
      return themePage(deps, brand, { text: await themeFileText(from ?? theme, context.baseUrl) })
    },
    async save(request: AdminRequest, upload: MultipartForm) {
      const brand = findBrand(deps, request.params)
      const { slug } = brand
      const { revision, preview } = decodeForm(otherFields, upload.fields).value
      const text = textIn(upload)
      const draft: Draft = { text, ...read(text) }
      const problem = !preview && revision !== undefined && revision !== brand.revision && staleForm
      if (preview || problem || draft.mistakes) {
        const page = await themePage(deps, brand, { ...draft, problem: problem || undefined })
        return adminResponse(page, preview && !draft.mistakes ? 200 : 422)
      }
      const themeFile = { name: 'theme.yaml', bytes: new TextEncoder().encode(text) }
      const outcome = await brands.save({ texts: {}, files: { themeFile }, remove: [] }, slug, (saved) =>
        request.audit('brand.save', saved.slug, `revision ${saved.revision}`),
      )
      if ('slug' in outcome) return redirect(`/admin/brands/${slug}/theme`)
      const [mistake] = outcome.mistakes
      const refused = { ...draft, problem: `The theme file ${mistake?.message}.` }
      return adminResponse(await themePage(deps, brand, refused), 422)
    },
    card: ({ params, client, context }: AdminRequest, upload: MultipartForm) =>
      drawnOrGrey('no-store', async () => {
        const brand = brands.find(params['slug'] ?? '')
        if (brand === undefined) throw new Problem('not_found', 'There is no such brand.')
        const draft = read(textIn(upload))
        if ('mistakes' in draft) throw new Problem('invalid_body', 'The theme file has mistakes.')
        const { theme: themeFile } = draft
        const look = await brands.load(brand.slug, brand.revision)
        const card = decodeForm(brandPictureQuery, new URLSearchParams(context.rawQuery)).value
        const drawn = await drawing.brandPart(
          client,
          { ...look, key: `${look.key} ${themeFile.key}`, themeFile },
          { title: '', script: 'Latin', ...card, part: 'card' },
        )
        if (drawn === undefined) throw new Problem('not_found', 'There is no such card.')
        return drawn
      }),
  }
}

function themePage(deps: AdminDeps, { slug, name, revision }: BrandEntry, draft: Draft): Promise<Markup> {
  const path = `/admin/brands/${slug}/theme`
  const starts = themeNames.map((theme) => <a href={`${path}?from=${theme}`}>{capitalized(theme)}</a>)
  const head = {
    title: `Theme of ${name}`,
    section: 'brands',
    lead: <a href={`/admin/brands/${slug}`}>{`${slug}@${revision}`}</a>,
    buttons: [
      menu('start', { class: 'btn' }, 'Start from…', starts),
      <span class="noscript">
        {submitButton('Check', 'btn', { name: 'preview', value: '1', form: formId })}
      </span>,
      submitButton('Save', 'btn primary', { form: formId }),
    ],
    script: 'theme-editor.js',
  } as const
  return adminPage(
    deps,
    head,
    <div class="cols">
      <section class="card panel" aria-label="The theme file">
        {postForm(
          path,
          [
            <input type="hidden" name="revision" value={revision} />,
            <div>
              <label for="text">Theme file</label>
              <textarea
                id="text"
                name="text"
                class="mono"
                rows="28"
                wrap="off"
                spellcheck="false"
                aria-invalid={draft.mistakes && 'true'}
                aria-describedby="text-hint"
              >{`\n${draft.text}`}</textarea>
              <p class="hint" id="text-hint">
                YAML or JSON, as its <a href="/theme.schema.json">schema</a> describes.
              </p>
            </div>,
            mistakeList(draft),
          ],
          {
            class: 'form',
            id: formId,
            enctype: 'multipart/form-data',
            'data-schema': '/theme.schema.json',
            'data-theme': draft.isStored ? 'stored' : 'draft',
          },
        )}
      </section>
      <section class="card panel preview" aria-labelledby="sheet-title" tabindex="0">
        <header>
          <h2 id="sheet-title">Cards</h2>
          <span class="muted small" role="status" id="sheet-state" />
        </header>
        <div id="sheet" class="grid">
          {scripts.map((script) => (
            <div class="grid">
              <h3>{script}</h3>
              {schemes.map((scheme) =>
                cardRows(
                  scheme,
                  (size) =>
                    `/admin/brands/${slug}/${revision}/card?${new URLSearchParams({ size, scheme, script })}`,
                ),
              )}
            </div>
          ))}
        </div>
      </section>
    </div>,
  )
}

/** Mistakes with their lines, then warnings. The script of the page reads them from here too. */
function mistakeList({ mistakes, warnings = [], problem }: Draft): Child {
  const found = [
    ...(mistakes ?? []).map((each) => ({ ...each, isWarning: false })),
    ...warnings.map((each) => ({ ...each, isWarning: true })),
  ]
  return (
    <div id="mistakes">
      {problemNote(problem)}
      {found.length > 0 && (
        <ol class="needs grid small">
          {found.map(({ line, column, field, message, isWarning }) => (
            <li data-line={line} data-column={column} data-severity={isWarning ? 'warning' : 'error'}>
              <a href="#text">Line {line}</a>
              <span>
                {field !== '' && <code>{field}</code>} {message}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
