import { Type } from '@sinclair/typebox'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import type { UploadedFile } from '../../src/brands/brand-form.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import { redirect } from '../admin-response.ts'
import { createKeptUploads } from '../data/kept-uploads.ts'
import { readBrandForm, revisionField, type SentBrandForm } from '../data/read-brand-form.ts'
import type { AdminDeps } from '../deps.ts'
import { invalidFormPage, operatorNotFoundPage } from '../pages/refusals.tsx'
import { createSentBrandPage } from '../pages/sent-brand.ts'
import type { AdminRequest, FormRequest } from '../session/admin-request.ts'

const staleForm =
  'Someone else saved this brand in the meantime. Check the preview and save again to make this the newest revision.'

/** An older revision that becomes the newest. */
export const revisionForm = Type.Object({ revision: Type.Optional(revisionField) })

/** The restricted brands that a key may use. */
export const allowedBrandsForm = Type.Object({ slug: Type.Array(Type.String()) })

/** The actions that change brands. Each adds an audit entry in its transaction and redirects to the brand's page. */
export function createBrandActions(deps: AdminDeps) {
  return { ...createBrandForms(deps), ...createBrandChanges(deps) }
}

/** The forms with files: a preview of what was typed, or the next revision. */
function createBrandForms(deps: AdminDeps) {
  const { brands } = deps
  const kept = createKeptUploads<UploadedFile>(deps.clock)
  const formPage = createSentBrandPage(deps, kept)

  async function preview(
    request: AdminRequest,
    sent: SentBrandForm,
    brand: BrandEntry | undefined,
  ): Promise<Response> {
    const outcome = await brands.preview(sent.form, brand?.slug)
    if ('mistakes' in outcome)
      return formPage(request, sent, { mistakes: [...sent.mistakes, ...outcome.mistakes] }, brand)
    return formPage(request, sent, { mistakes: sent.mistakes, drawn: outcome.brand }, brand)
  }

  async function submit(
    request: AdminRequest,
    upload: MultipartForm,
    brand: BrandEntry | undefined,
  ): Promise<Response> {
    const sent = readBrandForm(upload, kept, request.session.id)
    const { form, mistakes, revision } = sent
    if (sent.wantsPreview) return preview(request, sent, brand)
    if (brand !== undefined && revision !== undefined && revision !== brand.revision)
      return formPage(request, sent, { mistakes, problem: staleForm }, brand)
    if (mistakes.length > 0) return formPage(request, sent, { mistakes }, brand)
    const outcome = await brands.save(form, brand?.slug, (saved) =>
      request.audit(brand ? 'brand.save' : 'brand.create', saved.slug, `revision ${saved.revision}`),
    )
    if ('mistakes' in outcome) return formPage(request, sent, outcome, brand)
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
    newest: (request: FormRequest<typeof revisionForm>) =>
      withBrand(deps, request, async ({ slug, revision: newest }) => {
        const path = `/admin/brands/${slug}`
        const { revision } = request.form
        if (revision === undefined || revision > newest)
          return invalidFormPage(deps, 'brands', `The revision is a number from 1 to ${newest}.`, path)
        await brands.repeat(slug, revision, ({ revision: next }) =>
          request.audit('brand.save', slug, `revision ${next}, which is ${revision} again`),
        )
        return redirect(path)
      }),
    /** Which restricted brands a key may use. */
    async allow(request: FormRequest<typeof allowedBrandsForm>): Promise<Response> {
      const id = request.params['id'] ?? ''
      if ((await store.keys.find(id)) === undefined)
        return operatorNotFoundPage(deps, 'keys', 'There is no such key.')
      const unknown = await brands.allow(id, request.form.slug, (chosen) =>
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
  return brand === undefined ? operatorNotFoundPage(deps, 'brands', 'There is no such brand.') : answer(brand)
}
