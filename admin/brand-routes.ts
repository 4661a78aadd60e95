import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Problem } from '../src/errors.ts'
import { integer } from '../src/lib/fields.ts'
import { allowedBrandsForm, createBrandActions, revisionForm, withBrand } from './actions/brand-actions.ts'
import { adminPicture } from './admin-response.ts'
import { emptyForm, newestForm, readShownBrand } from './data/shown-brand.ts'
import { wholeNumber } from './data/whole-number.ts'
import type { AdminDeps } from './deps.ts'
import { archiveBrandPage } from './pages/archive-brand.tsx'
import { brandPage } from './pages/brand.tsx'
import { brandsPage, brandsQuery } from './pages/brands.tsx'
import { invalidFormPage } from './pages/refusals.tsx'
import type { AdminHandler, AdminRequest } from './session/admin-request.ts'
import { sessionClient } from './session/admin-request.ts'
import type { ActionForm, RefuseUpload, UploadHandler } from './session/session-guard.ts'

/** The files of a brand have at most 5.1 MiB. With room for more, a file that is a little too large is told at its field. */
export const brandFormLimits = {
  bytesMax: 8 * 2 ** 20,
  partsMax: 40,
  textLengthMax: 2000,
  arrivalMsMax: 5 * 60_000,
}

const brandQuery = Type.Object({
  before: Type.Optional(integer(1, 999_999, { description: 'Only revisions before this one' })),
})

interface Router {
  page<Query extends TObject>(path: string, handler: AdminHandler<Static<Query>>, query?: Query): void
  action<Fields extends TObject>(
    path: string,
    handler: AdminHandler<unknown, Static<Fields>>,
    form?: ActionForm<Fields>,
  ): void
  upload(path: string, handler: UploadHandler, refuse: RefuseUpload): void
}

/** Registers the pages of brands, their forms, and their pictures. */
export function routeBrands({ page, action, upload }: Router, deps: AdminDeps): void {
  const { brands, brandPreviews } = deps
  const actions = createBrandActions(deps)

  /** 413 or 400: what was sent is no form that can be read. */
  function refuse({ message, status }: Problem, { params }: AdminRequest): Promise<Response> {
    const { slug = 'new' } = params
    return invalidFormPage(deps, 'brands', message, `/admin/brands/${slug}`, status)
  }

  page('/admin/brands', (request) => brandsPage(deps, request), brandsQuery)
  page('/admin/brands/new', async (request) => {
    const drawn = await brandPreviews.drawn(sessionClient(request), { key: 'new' }, emptyForm.sample)
    return brandPage(deps, emptyForm, drawn)
  })
  page(
    '/admin/brands/:slug',
    (request) =>
      withBrand(deps, request, async (brand) => {
        const { context, query } = request
        const shown = await readShownBrand(deps, brand, context.baseUrl, query.before)
        const form = await newestForm(deps, brand)
        const look = await brands.load(brand.slug, brand.revision)
        return brandPage(
          deps,
          form,
          await brandPreviews.drawn(sessionClient(request), look, form.sample),
          shown,
        )
      }),
    brandQuery,
  )
  page('/admin/brands/:slug/archive', (request) =>
    withBrand(deps, request, async (brand) =>
      archiveBrandPage(deps, await readShownBrand(deps, brand, request.context.baseUrl)),
    ),
  )
  page('/admin/brands/:slug/:revision/card', createBrandCard(deps))
  upload('/admin/brands', actions.create, refuse)
  upload('/admin/brands/:slug', actions.save, refuse)
  action('/admin/brands/:slug/archive', actions.archive)
  action('/admin/brands/:slug/restore', actions.restore)
  action('/admin/brands/:slug/newest', actions.newest, { fields: revisionForm })
  action('/admin/keys/:id/brands', actions.allow, { fields: allowedBrandsForm })
}

/** A small card of one revision, which never changes. It says the name of the brand. */
function createBrandCard(deps: AdminDeps): AdminHandler {
  const { brands, brandPreviews } = deps
  return (request) =>
    withBrand(deps, request, async ({ slug, revision: newest }) => {
      const revision = wholeNumber(request.params['revision'] ?? '') ?? 0
      if (revision < 1 || revision > newest) throw new Problem('not_found', 'There is no such revision.')
      const { name: title } = await brands.revision(slug, revision)
      const look = await brands.load(slug, revision)
      const picture = await brandPreviews.picture(sessionClient(request), look, { title })
      return adminPicture(picture, 'private, max-age=86400, immutable')
    })
}
