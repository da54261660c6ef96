/** The relation types that a link may have (§7): those that IANA has registered, or URIs of one's own. */

import { isAbsoluteUri } from '../../standard/model.js';

/** As registered in 2026, for the web and for what ResourceSync documents link to. */
const REGISTERED: ReadonlySet<string> = new Set(
  `about acl alternate amphtml api-catalog appendix apple-touch-icon apple-touch-startup-image archives author
blocked-by bookmark c2pa-manifest canonical chapter cite-as collection compression-dictionary contents convertedfrom
copyright create-form current deprecation describedby describes disclosure dns-prefetch duplicate edit edit-form
edit-media enclosure external first geofeed glossary help hosts hub ice-server icon implements index intervalafter
intervalbefore intervalcontains intervaldisjoint intervalduring intervalequals intervalfinishedby intervalfinishes
intervalin intervalmeets intervalmetby intervaloverlappedby intervaloverlaps intervalstartedby intervalstarts item
last latest-version license linkset lrdd manifest mask-icon me media-feed memento micropub modulepreload monitor
monitor-group next next-archive nofollow noopener noreferrer opener openid2.local_id openid2.provider original
p3pv1 payment pingback preconnect predecessor-version prefetch preload prerender prev prev-archive preview previous
privacy-policy profile publication rdap-active rdap-bottom rdap-down rdap-top rdap-up related replies restconf
ruleinput search section self service service-desc service-doc service-meta sip-trunking-capability sponsored start
status stylesheet subsection successor-version sunset tag terms-of-service timegate timemap type ugc up
version-history via webmention working-copy working-copy-of`.split(/\s+/),
);

/** Whether every one of the relation types, separated by spaces, may be used. */
export function isRelationType(rel: string): boolean {
  const types = rel.split(/\s+/).filter(Boolean);
  return types.length > 0 && types.every((type) => REGISTERED.has(type.toLowerCase()) || isAbsoluteUri(type));
}
