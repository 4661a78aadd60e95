/** The part of a budget of a site that pages may use which the site does not name itself. The rest is for those it names. */
export const unnamedPart = 7 / 8

export interface HostSite {
  readonly id: string
  readonly keyId: string
  readonly look: Readonly<Record<string, string>>
  /** The named host that an address lies on or below; undefined for an address elsewhere. */
  hostOf(url: URL): string | undefined
  /** True for the very host that the site names, also without `www.`: strangers can make subdomains up. */
  isOwnHost(url: URL): boolean
}

export interface CardSites {
  /** Null if there is no such site; undefined if it has to be loaded. */
  peek(siteId: string): HostSite | null | undefined
  /** Changes by other servers count after a second. */
  isCurrent(site: HostSite): boolean
  load(siteId: string): Promise<void>
  /** Undefined while changes by others were looked for within the last second; else a look for them. */
  recheck(): Promise<void> | undefined
}

/** No sites: for programs that draw without a server. */
export const noSites: CardSites = {
  peek: () => null,
  isCurrent: () => true,
  load: async () => {},
  recheck: () => undefined,
}
