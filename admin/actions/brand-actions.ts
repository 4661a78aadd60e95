import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { type BrandForm, brandFileFields, type FieldMistake } from '../../src/brands/brand-form.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { BrandField, BrandFormState, ShownFile } from '../data/brand-fields.ts'
import { createKeptUploads } from '../data/kept-uploads.ts'
import { readBrandForm, type SentBrandForm } from '../data/read-brand-form.ts'
import { emptyForm, newestForm, readShownBrand } from '../data/shown-brand.ts'
import { wholeNumber } from '../data/whole-number.ts'
import type { AdminDeps } from '../deps.ts'
import { brandPage } from '../pages/brand.tsx'
import { invalidFormPage, notFoundPage } from '../pages/refusals.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const staleForm =
  'This brand was saved by somebody else in the meantime. Look at the preview and save again: what you see here becomes the newest revision.'

/** What changes brands. Each change adds an audit entry in its transaction and redirects to the page of the brand. */
export function createBrandActions(deps: AdminDeps) {
  return { ...createBrandForms(deps), ...createBrandChanges(deps) }
}

/** The forms with files: a preview of what was typed, or the next revision. */
function createBrandForms(deps: AdminDeps) {
  const { brands, brandPreviews } = deps
  const kept = createKeptUploads<NonNullable<BrandForm['files'][BrandFileField]>>(deps.clock)

  /** The files of a form that may be sent again, as its page shows them. */
  function keepFiles({ form, keptTokens }: SentBrandForm, wrong: ReadonlySet<string>, sessionId: string) {
    const shown: Partial<Record<BrandFileField, ShownFile>> = {}
    for (const field of brandFileFields) {
      const file = form.files[field]
      if (file === undefined || wrong.has(field)) continue
      const keptToken = keptTokens[field] ?? kept.keep(sessionId, file, file.bytes.length)
      shown[field] = { name: file.name, bytes: file.bytes.length, keptToken }
    }
    return shown
  }

  /** The page with the form as it was sent, what is wrong with it, and a preview of all that is right. */
  async function formPage(
    request: AdminRequest,
    sent: SentBrandForm,
    mistakes: readonly FieldMistake[],
    brand: BrandEntry | undefined,
    problem?: string,
  ): Promise<Response> {
    const { session, context } = request
    const { form, sample } = sent
    const begun = brand === undefined ? emptyForm : await newestForm(deps, brand)
    const wrong = new Set<string>(mistakes.map(({ field }) => field))
    const outcome = await brands.preview(withoutFields(form, wrong), brand?.slug)
    const drawn: CardBrand = 'brand' in outcome ? outcome.brand : { key: 'draft' }
    const state: BrandFormState = {
      texts: { ...begun.texts, ...form.texts },
      files: { ...begun.files, ...keepFiles(sent, wrong, session.id) },
      removed: form.remove,
      mistakes: byField(mistakes),
      problem: problem ?? problemOf(mistakes),
      sample,
      revision: begun.revision,
    }
    const previews = await brandPreviews.all(session.id, drawn, sample)
    const shown = brand && (await readShownBrand(deps, brand, context.baseUrl))
    const isRight = mistakes.length === 0 && problem === undefined
    return adminResponse(await brandPage(deps, state, previews, shown), isRight ? 200 : 422)
  }

  async function submit(
    request: AdminRequest,
    upload: MultipartForm,
    brand: BrandEntry | undefined,
  ): Promise<Response> {
    const sent = readBrandForm(upload, kept, request.session.id)
    if (sent.wantsPreview) {
      const outcome = await brands.preview(sent.form, brand?.slug)
      const found = 'mistakes' in outcome ? outcome.mistakes : []
      return formPage(request, sent, [...sent.mistakes, ...found], brand)
    }
    if (brand !== undefined && sent.revision !== undefined && sent.revision !== brand.revision)
      return formPage(request, sent, sent.mistakes, brand, staleForm)
    if (sent.mistakes.length > 0) return formPage(request, sent, sent.mistakes, brand)
    const outcome = await brands.save(sent.form, brand?.slug, ({ slug, revision }) =>
      request.audit(revision === 1 ? 'brand.create' : 'brand.save', slug, `revision ${revision}`),
    )
    if ('mistakes' in outcome) return formPage(request, sent, outcome.mistakes, brand)
    return redirect(`/admin/brands/${outcome.slug}`)
  }

  return {
    create: (request: AdminRequest, upload: MultipartForm) => submit(request, upload, undefined),
    save: (request: AdminRequest, upload: MultipartForm) =>
      withBrand(deps, request, (brand) => submit(request, upload, brand)),
  }
}

function createBrandChanges(deps: AdminDeps) {
  const { brands, store } = deps

  function note(request: AdminRequest, action: string) {
    return (slug: string) => request.audit(action, slug)
  }

  return {
    archive: (request: AdminRequest) =>
      withBrand(deps, request, async ({ slug }) => {
        await brands.archive(slug, note(request, 'brand.archive'))
        return redirect(`/admin/brands/${slug}`)
      }),
    restore: (request: AdminRequest) =>
      withBrand(deps, request, async ({ slug }) => {
        await brands.restore(slug, note(request, 'brand.restore'))
        return redirect(`/admin/brands/${slug}`)
      }),
    /** Saves an older revision once more: it becomes the newest, and those between stay. */
    newest: (request: AdminRequest) =>
      withBrand(deps, request, async ({ slug, revision: newest }) => {
        const path = `/admin/brands/${slug}`
        const revision = wholeNumber(request.form.get('revision')) ?? 0
        if (revision < 1 || revision > newest)
          return invalidFormPage(deps, 'brands', `The revision is a number from 1 to ${newest}.`, path)
        await brands.repeat(slug, revision, ({ revision: next }) =>
          request.audit('brand.save', slug, `revision ${next}, which is ${revision} again`),
        )
        return redirect(path)
      }),
    /** Which of the brands for chosen keys a key may use. */
    async allow(request: AdminRequest): Promise<Response> {
      const id = request.params['id'] ?? ''
      if ((await store.keys.find(id)) === undefined)
        return notFoundPage(deps, 'keys', 'There is no such key.')
      const slugs = request.form.getAll('slug')
      const unknown = await brands.allow(id, slugs, (chosen) =>
        request.audit('key.brands', id, chosen.join(', ') || 'none'),
      )
      const path = `/admin/keys/${id}`
      if (unknown.length > 0) {
        const [slug = ''] = unknown
        return invalidFormPage(deps, 'keys', `There is no brand ${slug.slice(0, 40)}.`, path)
      }
      return redirect(`${path}#brands`)
    },
  }
}

/** Answers 404 if there is no such brand. */
export async function withBrand<Answer>(
  deps: AdminDeps,
  { params }: AdminRequest,
  answer: (brand: BrandEntry) => Answer | Promise<Answer>,
): Promise<Answer | Response> {
  const brand = deps.brands.find(params['slug'] ?? '')
  return brand === undefined ? notFoundPage(deps, 'brands', 'There is no such brand.') : answer(brand)
}

/** The form without fields that are wrong: the rest can be drawn. */
function withoutFields({ texts, files, remove }: BrandForm, wrong: ReadonlySet<string>): BrandForm {
  function right<Value extends object>(fields: Value): Value {
    return Object.fromEntries(Object.entries(fields).filter(([field]) => !wrong.has(field))) as Value
  }
  return { texts: right(texts), files: right(files), remove: wrong.has('remove') ? [] : remove }
}

/** The first mistake of each field. */
function byField(mistakes: readonly FieldMistake[]): BrandFormState['mistakes'] {
  const found: Partial<Record<BrandField, string>> = {}
  for (const { field, message } of mistakes) if (field !== 'remove') found[field] ??= message
  return found
}

function problemOf(mistakes: readonly FieldMistake[]): string | undefined {
  const wrong = mistakes.find(({ field }) => field === 'remove')
  return wrong && `The field remove ${wrong.message}.`
}
