/** A generator of static sites with a small site for it. */
export interface Generator {
  /** Packages from npm at exact versions. */
  readonly packages?: Readonly<Record<string, string>>
  /** Versions of packages that these depend on, where their own choice cannot be installed. */
  readonly overrides?: Readonly<Record<string, string>>
  /** The sources by path. */
  readonly files: Readonly<Record<string, string>>
  /** The command that builds the site. */
  readonly build: readonly string[]
  /** The folder that the command fills. */
  readonly output: string
}
