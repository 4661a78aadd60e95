/** A URL as text, or a `URL`: named by its one member, as projects without the types of the DOM know no `URL`. */
export type Address = string | {
    readonly href: string;
};
/** The pair from `GET /api/key`. The secret belongs into the build or the server, never into a page. */
export interface KeyPair {
    readonly key: string;
    readonly secret: string;
}
export interface SignOptions {
    /** Unix seconds; now unless given. */
    readonly t?: number | undefined;
}
/** Numbers and booleans become strings; `undefined` is left out; a list repeats its name. */
export type EmbedParameters = Readonly<Record<string, ParameterValue | readonly ParameterValue[] | undefined>>;
export type ParameterValue = string | number | boolean;
export interface EmbedOptions {
    /**
     * Unix seconds, at most ten years from now. Without it the start of the year after next: builds of one year give the
     * same URL, so caches keep what they have.
     */
    readonly exp?: number | undefined;
}
/** The parameters of `/api/og`; a card is always PNG here. */
export interface CardParameters extends EmbedParameters {
    readonly title: string;
    /** The alternative text; the title unless given. */
    readonly alt?: string | undefined;
    /** `og`, `github`, `x`, `square`, `portrait` or `pin`; `og` unless given. */
    readonly size?: string | undefined;
}
export interface CardImage {
    readonly url: string;
    readonly type: string;
    /** In pixels. */
    readonly width: number;
    readonly height: number;
    readonly alt: string;
}

/**
 * Signs one call: the URL is valid for five minutes from `t`, and its other parameters may still be changed. Rejects with
 * a TypeError that names a missing key or secret, or a URL that is none.
 *
 * @example
 * await signUrl('https://mintmark.example/api/og?title=Hello', { key: 'mk_…', secret: '…' })
 */
export declare function signUrl(url: Address, pair: KeyPair, options?: SignOptions): Promise<string>;

/**
 * A signed URL for public pages, valid until `exp` for exactly these parameters. Put it into the page unchanged (escaped
 * for HTML): a changed, added or reordered parameter invalidates the signature. Rejects with a TypeError that names the
 * argument, or the text, that the service would refuse.
 *
 * @example
 * await embedUrl('https://mintmark.example/api/og', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export declare function embedUrl(endpoint: Address, parameters: EmbedParameters, pair: KeyPair, options?: EmbedOptions): Promise<string>;

/**
 * The share card of a page as networks want it: a PNG with its size and alternative text. `service` is the base URL.
 * Unless `overflow` says otherwise, a text that is too long for the card is fitted and ends in an ellipsis; one that the
 * service would not even read is cut before. The alternative text keeps all of the title.
 */
export declare function cardImage(service: Address, card: CardParameters, pair: KeyPair, options?: EmbedOptions): Promise<CardImage>;

/**
 * The tags of a page's share card for its `<head>`, escaped, one a line: `og:image` with type, size and alternative text,
 * and `twitter:card`. Takes the same as `cardImage`.
 *
 * @example
 * await cardTags('https://mintmark.example', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export declare function cardTags(service: Address, parameters: CardParameters, pair: KeyPair, options?: EmbedOptions): Promise<string>;
