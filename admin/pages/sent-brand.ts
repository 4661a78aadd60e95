import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import {
  type BrandForm,
  brandFileFields,
  type FieldMistake,
  type UploadedFile,
} from '../../src/brands/brand-form.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { adminResponse } from '../admin-response.ts'
import type { BrandField, BrandFormState, ShownFile } from '../data/brand-fields.ts'
import type { KeptUploads } from '../data/kept-uploads.ts'
import type { SentBrandForm } from '../data/read-brand-form.ts'
import { emptyForm, newestForm, readShownBrand } from '../data/shown-brand.ts'
import type { AdminDeps } from '../deps.ts'
import type { AdminRequest } from '../session/admin-request.ts'
import { sessionClient } from '../session/admin-request.ts'
import { brandPage } from './brand.tsx'

/** The mistakes in a form, and the brand to draw its cards with if they can be drawn. */
interface Verdict {
  readonly mistakes?: readonly FieldMistake[]
  readonly problem?: string | undefined
  readonly drawn?: CardBrand
}

/**
 * The page of a brand with the form as it was sent, what is wrong with it, and a preview of all that is right. Its files
 * are kept, so that the form can be sent again without them.
 */
export function createSentBrandPage(deps: AdminDeps, kept: KeptUploads<UploadedFile>) {
  const { brands, brandPreviews } = deps

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

  /** The look of a form whose fields are right. */
  async function lookOf(form: BrandForm, brand: BrandEntry | undefined): Promise<CardBrand> {
    const outcome = await brands.preview(form, brand?.slug)
    return 'brand' in outcome ? outcome.brand : { key: 'draft' }
  }

  /** 200 for a form that is right, else 422. @param brand undefined for a new one */
  return async (
    { session, context }: AdminRequest,
    sent: SentBrandForm,
    { mistakes = [], problem = problemOf(mistakes), drawn }: Verdict,
    brand: BrandEntry | undefined,
  ): Promise<Response> => {
    const { form, sample } = sent
    const begun = brand === undefined ? emptyForm : await newestForm(deps, brand)
    const wrong = new Set<string>(mistakes.map(({ field }) => field))
    const state: BrandFormState = {
      texts: { ...begun.texts, ...form.texts },
      files: { ...begun.files, ...keepFiles(sent, wrong, session.id) },
      removed: form.remove,
      mistakes: byField(mistakes),
      problem,
      sample,
      revision: begun.revision,
    }
    const look = drawn ?? (await lookOf(withoutFields(form, wrong), brand))
    const pictures = await brandPreviews.drawn(sessionClient({ session, context }), look, sample)
    const shown = brand && (await readShownBrand(deps, brand, context.baseUrl))
    const isRight = mistakes.length === 0 && problem === undefined
    return adminResponse(await brandPage(deps, state, pictures, shown), isRight ? 200 : 422)
  }
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
