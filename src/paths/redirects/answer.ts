/** Types: the answer of a site to an address that it once published, and a redirect that is proposed for it. */

export type AddressAnswer =
  | { readonly kind: 'there' | 'gone' | 'withdrawn' }
  | ({ readonly kind: 'redirected' } & LiveRedirect)
  | ({ readonly kind: 'nowhere' } & DeadRedirect);

export interface LiveRedirect {
  /** URL at which the redirects end. */
  readonly to: string;
  /** Place of the first rule that redirects, such as `_redirects:3`, or URL of the page that redirects. */
  readonly by: string;
  /** True if the redirects lead to another site, which is not looked at. */
  readonly leaves: boolean;
}

export interface DeadRedirect {
  readonly to: string;
  readonly by: string;
  /** Why the redirects lead nowhere. `gone`: no page is at their end; `circle`: they lead back; `hops`: there are more than ten. */
  readonly reason: 'gone' | 'circle' | 'hops';
}

export interface ProposedRedirect {
  /** File for the proposed redirect: the name of a file of rules, or the path of a new page in the site. */
  readonly file: string;
  /** Text of the redirect: one or more lines, or a whole page. Addresses of the site in it are percent-encoded. */
  readonly text: string;
}
