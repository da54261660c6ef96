/** Tells resources on allowed origins from those on others. */

export interface AllowedOrigins {
  /** Prefix of the URLs that may be requested without `allow`. */
  readonly home: string;
  /** Origins, without a trailing slash. */
  readonly allow: readonly string[];
}

export function isAllowed({ home, allow }: AllowedOrigins, uri: string): boolean {
  // Fast path: nearly all URLs begin with it, and need not be parsed.
  if (uri.startsWith(home)) return true;
  const { origin } = new URL(uri);
  return `${origin}/` === home || allow.includes(origin);
}

/** Limit of the other origins that are named. */
const MOST_ORIGINS = 3;

/** The origins that a copy leaves out. */
export class OtherOrigins {
  readonly #allowed: AllowedOrigins;
  readonly #origins: Set<string>;
  #count = 0;

  /** @param setsElsewhere URLs of Capability Lists on other origins */
  constructor(allowed: AllowedOrigins, setsElsewhere: readonly string[]) {
    this.#allowed = allowed;
    this.#origins = new Set(setsElsewhere.slice(0, MOST_ORIGINS).map((uri) => new URL(uri).origin));
  }

  /** Resources on other origins so far. */
  get count(): number {
    return this.#count;
  }

  /** The first few other origins. */
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
