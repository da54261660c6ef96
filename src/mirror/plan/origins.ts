/** Tells resources that a mirror may fetch from those on origins that the user did not allow. */

export interface AllowedOrigins {
  /** Prefix of the URLs that may be requested without `allow`. */
  readonly home: string;
  /** Further origins that the user allows, without a trailing slash. */
  readonly allow: readonly string[];
}

export function isAllowed({ home, allow }: AllowedOrigins, uri: string): boolean {
  // Nearly all URLs begin with `home`, and need not be parsed.
  if (uri.startsWith(home)) return true;
  const { origin } = new URL(uri);
  return `${origin}/` === home || allow.includes(origin);
}

/** Limit of the origins that are named as left out. */
const MOST_ORIGINS = 3;

/** The origins that a copy leaves out: names the first few, and counts the resources on all of them. */
export class OtherOrigins {
  readonly #allowed: AllowedOrigins;
  readonly #origins: Set<string>;
  #count = 0;

  /** @param setsElsewhere URLs of Capability Lists on other origins */
  constructor(allowed: AllowedOrigins, setsElsewhere: readonly string[]) {
    this.#allowed = allowed;
    this.#origins = new Set(setsElsewhere.slice(0, MOST_ORIGINS).map((uri) => new URL(uri).origin));
  }

  get count(): number {
    return this.#count;
  }

  get origins(): readonly string[] {
    return [...this.#origins];
  }

  has(uri: string): boolean {
    return !isAllowed(this.#allowed, uri);
  }

  note(uri: string): void {
    this.#count++;
    if (this.#origins.size < MOST_ORIGINS) this.#origins.add(new URL(uri).origin);
  }
}
