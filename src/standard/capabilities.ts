/** Names of the capabilities in a Capability List (§9), and of the kinds of documents. */

/** Capabilities of the documents about the present state and its changes. */
export const DOCUMENT_CAPABILITIES = ['resourcelist', 'resourcedump', 'changelist', 'changedump'] as const;
export type DocumentCapability = (typeof DOCUMENT_CAPABILITIES)[number];

/** Capabilities of a set of resources (§9); the last four are from the standard's part on archives. */
export const CAPABILITIES = [
  ...DOCUMENT_CAPABILITIES,
  ...DOCUMENT_CAPABILITIES.map((name) => `${name}-archive` as const),
] as const;

/** Capabilities of channels, which are no documents (Notification 0.8, §3). */
export const CHANNELS = ['change-notification', 'framework-notification'] as const;
export type ChannelCapability = (typeof CHANNELS)[number];

export function isChannel(capability: string | undefined): capability is ChannelCapability {
  return CHANNELS.some((channel) => channel === capability);
}

/** Returns whether a Capability List may name a capability, by the standard or by its part on notifications. */
export function isDefinedCapability(capability: string | undefined): boolean {
  return CAPABILITIES.some((name) => name === capability) || isChannel(capability);
}

type Grouped = 'resource-list' | 'resource-dump' | 'change-list' | 'change-dump';

/** The `kind` of a `Document`, defined apart from it for reports, which name kinds without the documents. */
export type DocumentKind =
  | 'source-description'
  | 'capability-list'
  | Grouped
  | 'resource-dump-manifest'
  | 'change-dump-manifest'
  | `${Grouped}${'' | '-archive'}-index`
  | `${Grouped}-archive`;
