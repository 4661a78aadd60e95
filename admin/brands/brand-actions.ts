import { type Static, Type } from '@sinclair/typebox'
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import { themeWarnings } from '../../src/assets/og/engine/read-theme.ts'
import { schemes, sizeNames } from '../../src/assets/og/theme.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import {
  type BrandForm,
  brandFileFields,
  type FieldMistake,
  type UploadedFile,
} from '../../src/brands/brand-form.ts'
import { Problem } from '../../src/errors.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import { choice, integer, text } from '../../src/lib/fields.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import type { AdminDeps } from '../deps.ts'
import { brandParts, drawnOrGrey, scripts } from '../drawing.ts'
import { wholeNumber } from '../lists/keys.tsx'
import { adminResponse, invalidForm, notFound, redirect } from '../parts/layout.tsx'
import type { AdminRequest, FormRequest } from '../session/guard.ts'
import {
  type BrandFormState,
  createKeptUploads,
  draftQuery,
  emptyForm,
  readBrandForm,
  revisionField,
  type SentBrandForm,
  type ShownFile,
  sampleLengthMax,
  storedForm,
  withoutFields,
} from './brand-form.ts'
import { archiveBrandPage, brandPage } from './brand-page.tsx'
import { readShownBrand } from './shown-brand.ts'

export const staleForm =
  'Someone else saved this brand in the meantime. Check the preview and save again to make this the newest revision.'

/** The files of a brand have at most 5.1 MiB. With room for more, a file that is a little too large is told at its field. */
export const brandFormLimits = {
  bytesMax: 8 * 2 ** 20,
  partsMax: 40,
  textLengthMax: 2000,
  arrivalMsMax: 5 * 60_000,
}

export const brandQuery = Type.Object({
  before: Type.Optional(integer(1, 999_999, { description: 'Only revisions before this one' })),
})

/** The picture of a brand. The fields of a form that is not saved may stand beside these. */
export const brandPictureQuery = Type.Object({
  title: Type.Optional(text(0, sampleLengthMax, { description: 'The text of the card' })),
  size: choice(sizeNames, { default: 'og', description: 'The size of the card' }),
  scheme: Type.Optional(choice(schemes, { description: 'The scheme; missing for the brand’s own' })),
  script: Type.Optional(choice(scripts, { description: 'The script of the texts; missing for Latin' })),
  draft: Type.Optional(choice(['1'], { description: 'Drawn with the other fields of the query' })),
})

export const revisionForm = Type.Object({ revision: Type.Optional(revisionField) })

export const allowedBrandsForm = Type.Object({ slug: Type.Array(Type.String()) })

export function createBrandForms(deps: AdminDeps) {
  const { brands, drawing } = deps
  const kept = createKeptUploads<UploadedFile>(deps.clock)

  function keepFiles({ form, keptTokens }: SentBrandForm, wrong: ReadonlySet<string>, sessionId: string) {
    const shown: Partial<Record<BrandFileField, ShownFile>> = {}
    for (const field of brandFileFields) {
      const file = form.files[field]
      if (file === undefined || wrong.has(field)) continue
      const keptToken = keptTokens[field] ?? kept.keep(sessionId, file, file.bytes.length)
      const warnings = field === 'themeFile' ? themeWarnings(file.bytes) : []
      shown[field] = { name: file.name, bytes: file.bytes.length, keptToken, warnings }
    }
    return shown
  }

  async function newestForm(brand: BrandEntry): Promise<BrandFormState> {
    const { slug, revision } = brand
    return storedForm(brand, await brands.revision(slug, revision), await brands.themeFile(slug, revision))
  }

  async function draftLook({ form, mistakes }: SentBrandForm, slug: string | undefined): Promise<CardBrand> {
    const outcome = await brands.preview(withoutFields(form, fieldsOf(mistakes)), slug)
    return 'brand' in outcome ? outcome.brand : { key: 'draft' }
  }

  /** The page with the form as it was sent. Its files are kept, so that it can be sent again without them. 422 if wrong. */
  async function sentPage(
    { session, context }: AdminRequest,
    sent: SentBrandForm,
    brand: BrandEntry | undefined,
    problem = problemOf(sent.mistakes),
  ): Promise<Response> {
    const { form, mistakes, sample } = sent
    const look = await draftLook(sent, brand?.slug)
    const begun = brand === undefined ? emptyForm : await newestForm(brand)
    const state: BrandFormState = {
      texts: withFocus({ ...begun.texts, ...form.texts }, form.files.picture && look),
      files: { ...begun.files, ...keepFiles(sent, fieldsOf(mistakes), session.id) },
      removed: form.remove,
      mistakes: Object.groupBy(mistakes, ({ field }) => field),
      problem,
      sample,
      revision: begun.revision,
    }
    const shown = brand && (await readShownBrand(deps, brand, context.baseUrl))
    const page = await brandPage(deps, { form: state, look, draft: draftQuery(state), shown })
    return adminResponse(page, mistakes.length === 0 && problem === undefined ? 200 : 422)
  }

  async function submit(request: AdminRequest, upload: MultipartForm, brand: BrandEntry | undefined) {
    const sent = readBrandForm(upload, kept, request.session.id)
    const { form, mistakes, revision } = sent
    const isStale = brand !== undefined && revision !== undefined && revision !== brand.revision
    if (isStale && !sent.wantsPreview) return sentPage(request, sent, brand, staleForm)
    if (mistakes.length > 0 && !sent.wantsPreview) return sentPage(request, sent, brand)
    const outcome = sent.wantsPreview
      ? await brands.preview(form, brand?.slug)
      : await brands.save(form, brand?.slug, (saved) =>
          request.audit(brand ? 'brand.save' : 'brand.create', saved.slug, `revision ${saved.revision}`),
        )
    if ('slug' in outcome) return redirect(`/admin/brands/${outcome.slug}`)
    const found = 'mistakes' in outcome ? outcome.mistakes : []
    return sentPage(request, { ...sent, mistakes: [...mistakes, ...found] }, brand)
  }

  async function pictured({ params, query, context, session }: PictureRequest) {
    const { slug = '', revision: number = '' } = params
    const brand = brands.find(slug)
    if (query.draft === '1' && (brand !== undefined || slug === 'new')) {
      const fields = new URLSearchParams(context.rawQuery)
      const sent = readBrandForm({ fields, files: [] }, kept, session.id)
      if (sent.mistakes.length > 0) throw new Problem('not_found', 'A file of this form is gone.')
      return { look: await draftLook(sent, brand?.slug), name: '' }
    }
    const revision = wholeNumber(number) ?? 0
    if (brand === undefined || revision < 1 || revision > brand.revision)
      throw new Problem('not_found', 'There is no such revision.')
    const { name } = await brands.revision(slug, revision)
    return { look: await brands.load(slug, revision), name }
  }

  return {
    newPage: () => brandPage(deps, { form: emptyForm, look: { key: 'new' }, draft: draftQuery(emptyForm) }),
    async page({ params, context, query }: AdminRequest<Static<typeof brandQuery>>) {
      const brand = findBrand(deps, params)
      const shown = await readShownBrand(deps, brand, context.baseUrl, query.before)
      const look = await brands.load(brand.slug, brand.revision)
      return brandPage(deps, { form: await newestForm(brand), look, shown })
    },
    /** A part of a revision, which never changes, or of a form; a grey box where it cannot be drawn. */
    async picture(request: PictureRequest): Promise<Response> {
      const part = brandParts.find((each) => each === request.params['part'])
      const { title = '', size, scheme, script, draft } = request.query
      return await drawnOrGrey(draft ? 'no-store' : 'private, max-age=86400, immutable', async () => {
        if (part === undefined) throw new Problem('not_found', 'A brand has no such picture.')
        const { look, name } = await pictured(request)
        const wanted = { part, title: title || name, size, scheme, script }
        const picture = await drawing.brandPart(request.client, look, wanted)
        if (picture === undefined) throw new Problem('not_found', 'The brand has no such file.')
        return picture
      })
    },
    async themeFile({ params: { slug = '', revision = '' } }: AdminRequest): Promise<Response> {
      const number = wholeNumber(revision) ?? 0
      const isThere = number >= 1 && number <= (brands.find(slug)?.revision ?? 0)
      const bytes = isThere ? await brands.themeFile(slug, number) : undefined
      if (bytes === undefined) throw notFound('brands', 'There is no such theme file.')
      return new Response(bytes, {
        headers: {
          'content-type': 'application/yaml; charset=utf-8',
          'content-disposition': 'attachment; filename="theme.yaml"',
          'cache-control': 'private, max-age=86400, immutable',
        },
      })
    },
    create: (request: AdminRequest, upload: MultipartForm) => submit(request, upload, undefined),
    save: (request: AdminRequest, upload: MultipartForm) =>
      submit(request, upload, findBrand(deps, request.params)),
  }
}

/** Other changes of a brand. Each adds an audit entry in its transaction and redirects to the brand's page. */
export function createBrandChanges(deps: AdminDeps) {
  const { brands, store } = deps
  async function turn(request: AdminRequest, action: 'archive' | 'restore'): Promise<Response> {
    const { slug } = findBrand(deps, request.params)
    await brands[action](slug, (turned) => request.audit(`brand.${action}`, turned))
    return redirect(`/admin/brands/${slug}`)
  }
  return {
    archivePage: async ({ params, context }: AdminRequest) =>
      archiveBrandPage(deps, await readShownBrand(deps, findBrand(deps, params), context.baseUrl)),
    archive: (request: AdminRequest) => turn(request, 'archive'),
    restore: (request: AdminRequest) => turn(request, 'restore'),
    /** Saves an older revision once more: it becomes the newest, and those between stay. */
    async newest(request: FormRequest<typeof revisionForm>): Promise<Response> {
      const { slug, revision: newest } = findBrand(deps, request.params)
      const path = `/admin/brands/${slug}`
      const { revision } = request.form
      if (revision === undefined || revision > newest)
        throw invalidForm('brands', `The revision is a number from 1 to ${newest}.`, path)
      await brands.repeat(slug, revision, ({ revision: next }) =>
        request.audit('brand.save', slug, `revision ${next}, which is ${revision} again`),
      )
      return redirect(path)
    },
    async allow(request: FormRequest<typeof allowedBrandsForm>): Promise<Response> {
      const id = request.params['id'] ?? ''
      if ((await store.keys.find(id)) === undefined) throw notFound('keys', 'There is no such key.')
      const [unknown] = await brands.allow(id, request.form.slug, (chosen) =>
        request.audit('key.brands', id, chosen.join(', ') || 'none'),
      )
      const path = `/admin/keys/${id}`
      if (unknown !== undefined) throw invalidForm('keys', `There is no brand ${unknown.slice(0, 40)}.`, path)
      return redirect(`${path}#brands`)
    },
  }
}

export function findBrand({ brands }: AdminDeps, params: AdminRequest['params']): BrandEntry {
  const brand = brands.find(params['slug'] ?? '')
  if (brand === undefined) throw notFound('brands', 'There is no such brand.')
  return brand
}

type PictureRequest = AdminRequest<Static<typeof brandPictureQuery>>

/** The focus that was found in a new picture is offered where none was typed or saved. */
function withFocus(texts: BrandForm['texts'], look: CardBrand | undefined): BrandForm['texts'] {
  const focus = look?.picture?.focus
  return texts.focus || focus === undefined ? texts : { ...texts, focus: `${focus.x},${focus.y}` }
}

function fieldsOf(mistakes: readonly FieldMistake[]): ReadonlySet<string> {
  return new Set(mistakes.map(({ field }) => field))
}

function problemOf(mistakes: readonly FieldMistake[]): string | undefined {
  const wrong = mistakes.find(({ field }) => field === 'remove')
  return wrong && `The field remove ${wrong.message}.`
}
