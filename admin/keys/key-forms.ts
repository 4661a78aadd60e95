import { type TSchema, Type } from '@sinclair/typebox'
import { hostsLengthMax } from '../../src/access/key-hosts.ts'
import { keyLook } from '../../src/access/key-look.ts'
import { keyDaysMax } from '../../src/access/key-validity.ts'
import { choice } from '../../src/lib/fields.ts'
import { dayField } from '../session/form-fields.ts'

export const nameLengthMax = 80
export const notesLengthMax = 500
/** Calls per day. */
export const quotaMax = 1_000_000_000
/** Hours for which the old secret is still accepted after a rotation. The first is the default. */
export const overlapHours = ['24', '0', '1', '168'] as const

/** A longer name is cut. */
export const nameForm = Type.Object({ name: Type.String({ maxLength: nameLengthMax, default: '' }) })

/** Without a quota the key has the default quota. */
export const quotaForm = Type.Object({
  quota: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: quotaMax,
      mistake: 'The quota is a whole number from 0 to 1,000,000,000.',
    }),
  ),
})

/** Days from now until the key ends. Without them it has no end. */
export const endForm = Type.Object({
  expires: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: keyDaysMax,
      mistake: `A key ends after 1 to ${keyDaysMax.toLocaleString('en')} days, as a whole number, or not at all.`,
    }),
  ),
})

/** The assets that a key may call, each a value of its own or several with commas between them. None: all of them. */
export const assetsForm = Type.Object({
  assets: Type.Array(Type.String(), { maxItems: 100, default: [] }),
})

/** Line ends count as two characters here, because forms send them so. */
export const notesForm = Type.Object({
  notes: Type.String({
    maxLength: 2 * notesLengthMax,
    default: '',
    mistake: `Notes have at most ${notesLengthMax} characters.`,
  }),
})

const { theme, scheme, accent, brand, picture } = keyLook.properties

/** The hosts of a key, and the look of the cards of their pages. */
export const siteForm = Type.Object({
  hosts: Type.String({ maxLength: hostsLengthMax, default: '', mistake: 'The list of hosts is too long.' }),
  theme: refusing(theme, 'There is no such theme.'),
  scheme: refusing(scheme, 'The scheme is light or dark.'),
  accent: refusing(accent, 'The accent is an opaque CSS colour such as 7c3aed.'),
  brand: refusing(brand, 'A brand is named by its slug, such as acme, or as slug@revision.'),
  picture: refusing(picture, 'The picture is none or page.'),
})

function refusing<Field extends TSchema>(field: Field, mistake: string): Field {
  return { ...field, mistake }
}

export const newKeyForm = Type.Object({
  name: Type.String({
    maxLength: nameLengthMax,
    default: '',
    mistake: `A name has at most ${nameLengthMax} characters.`,
  }),
  ...quotaForm.properties,
  ...endForm.properties,
  ...siteForm.properties,
  ...assetsForm.properties,
  ...notesForm.properties,
})

/** A leaked secret ends at once, with all its addresses or those first counted since a day. */
export const rotationForm = Type.Object({
  overlap: choice(overlapHours, { default: overlapHours[0], description: 'Hours' }),
  leaked: Type.Boolean({ default: false }),
  since: Type.Optional(dayField('The day is a date such as 2026-11-26, in UTC.')),
})
