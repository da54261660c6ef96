/** What answers an address that was published once, and the redirect that should. */

export type AddressAnswer =
  | { readonly kind: 'there' | 'gone' | 'withdrawn' }
  | ({ readonly kind: 'redirected' } & LiveRedirect)
  | ({ readonly kind: 'nowhere' } & DeadRedirect);

export interface LiveRedirect {
  /** End of the redirects. */
  readonly to: string;
  /** Place of the first rule, such as `_redirects:3`, or URL of the page that redirects. */
  readonly by: string;
  /** True if that is another site, which is not looked at. */
  readonly leaves: boolean;
}

export interface DeadRedirect {
  readonly to: string;
  readonly by: string;
  /** `gone`: no page is there; `circle`: redirects lead back; `hops`: there are more than ten. */
  readonly reason: 'gone' | 'circle' | 'hops';
}

export interface ProposedRedirect {
  /** Place of the redirect: the name of a file, or the path of a new page in the site. */
  readonly file: string;
  /** One line or several, or a whole page. It has addresses of the site, which are percent-encoded. */
  readonly text: string;
}
