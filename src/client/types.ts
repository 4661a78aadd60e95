/** A URL as text, or a `URL`: named by its one member, as projects without the types of the DOM know no `URL`. */
export type Address = string | { readonly href: string }

/** The pair from `GET /api/key`. The secret belongs into the build or the server, never into a page. */
export interface KeyPair {
  readonly key: string
  readonly secret: string
}

export interface SignOptions {
  /** Unix seconds; now unless given. */
  readonly t?: number | undefined
}

/** Numbers and booleans become strings; `undefined` is left out; a list repeats its name. */
export type EmbedParameters = Readonly<Record<string, ParameterValue | readonly ParameterValue[] | undefined>>
export type ParameterValue = string | number | boolean

export interface EmbedOptions {
  /**
   * Unix seconds, at most ten years from now. Without it the start of the year after next: builds of one year give the
   * same URL, so caches keep what they have.
   */
  readonly exp?: number | undefined
}

/** The parameters of `/api/og`; a card is always PNG here. */
export interface CardParameters extends EmbedParameters {
  readonly title: string
  /** The alternative text; the title unless given. */
  readonly alt?: string | undefined
  /** `og`, `github`, `x`, `square`, `portrait` or `pin`; `og` unless given. */
  readonly size?: string | undefined
}

export interface CardImage {
  readonly url: string
  readonly type: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly alt: string
}
