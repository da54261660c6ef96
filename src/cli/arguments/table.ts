/** Table of all flags: the source of the parser, of the help, of checks of command lines, and of the tables of docs/reference.md. */

import * as v from 'valibot';
import { AUDIT_DEFAULTS } from '../../audit/options.js';
import { matchGroups } from '../../base/text/match.js';
import { OptionsSchema } from '../../config/schema/schema.js';
import { MIRROR_DEFAULTS } from '../../mirror/options.js';
import { CHANNEL_DEFAULTS } from '../../tell/channel/options.js';
import { NOTIFY_DEFAULTS } from '../../tell/notify/options.js';

/** Operands and descriptions of the commands; the summary of `--help` shows a description up to its first semicolon. */
const WRITTEN_COMMANDS = {
  describe: [
    '<site> --url <URL>',
    'writes the lists into the site; the default, so you can leave out `describe`',
  ],
  watch: ['<site> --url <URL>', 'does the same after every rebuild, until Ctrl-C; see [Watching](watch.md)'],
  record: ['<site>', 'records in git what you deployed; see [Recording](history.md#record-snapshots)'],
  diff: [
    '<site> --url <URL>',
    'shows what the next publication would change; writes nothing; see [Comparing](diff.md)',
  ],
  audit: ['<site | URL>', 'checks what is published; see [Auditing](audit.md)'],
  mirror: ['<URL> <folder>', 'copies a site, and keeps the copy up to date; see [Mirroring](mirror.md)'],
  channel: ['<URL>', 'sends changes to connected programs at once; see [Notification](notification.md)'],
  notify: [
    '<site | URL>',
    'notifies search engines and others of a deploy; see [Notification](notification.md#after-a-deploy)',
  ],
  init: ['[<site>]', 'sets up the project in the working directory; see [Setting up a project](init.md)'],
  explain: [
    '[<code>]',
    'explains the code of a notice, finding or error; without one, lists all codes; see [Notices](notices.md) and [Findings](findings.md)',
  ],
} as const;

export type Command = keyof typeof WRITTEN_COMMANDS;

/** All commands, in the order of the help. */
export const COMMANDS = Object.keys(WRITTEN_COMMANDS) as readonly Command[];

/** A flag in the table: its description in Markdown, alone or with properties that are not the usual ones. */
type FlagRow = string | readonly [text: string, facts: FlagFacts];

interface FlagFacts {
  /** Commands that take the flag besides those of its section. @default none */
  readonly also?: readonly Command[];
  /** The option that the flag sets, if the names differ; false if the flag sets none. */
  readonly key?: string | false;
  readonly short?: string;
  readonly repeatable?: true;
  /** The value that applies without the flag, in words, if it is not the default of the option. */
  readonly without?: string;
}

interface Section {
  readonly commands: readonly Command[];
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Flags of the section, by their syntax such as `--url <URL>`. */
  readonly flags: Readonly<Record<string, FlagRow>>;
}

/** Sections of flags; each is a table of docs/reference.md. Add new flags here. */
const SECTIONS = [
  {
    commands: ['describe', 'watch', 'diff'],
    defaults: v.getDefaults(OptionsSchema),
    flags: {
      '--url <URL>': [
        'the absolute http(s) URL of the site; it may have a path',
        { also: ['record', 'audit', 'notify', 'init'] },
      ],
      '--config <file>': [
        'reads this configuration file',
        {
          also: ['record', 'audit', 'notify', 'channel'],
          key: false,
          without: 'see [below](#configuration-file)',
        },
      ],
      '--urls <style>': [
        'how HTML files become URLs: `directory`, `clean`, `bare` or `file`; see [URL styles](#url-styles)',
        { also: ['record', 'audit', 'init'] },
      ],
      '--include <glob>': [
        'also lists files that are left out by default, such as `404.html`',
        { also: ['record', 'audit'], repeatable: true },
      ],
      '--exclude <glob>': ['leaves out more files', { also: ['record', 'audit'], repeatable: true }],
      '--history <where>': [
        'where your history is: `auto`, `none`, `published` (on the live site), `snapshots[:<name>]`, or in a branch, `<ref>[:<folder>]`; see [Which history to choose](history.md)',
        { also: ['record'] },
      ],
      '--record':
        'records this build in git, as a snapshot; for CI jobs that then deploy it; not for `watch`',
      '--dumps':
        'also writes the site and its changes as ZIP packages; see [ZIP packages](discovery.md#zip-packages)',
      '--robots': 'adds your sitemap and the Resource Lists to `robots.txt`; see [Being found](discovery.md)',
      '--page': 'writes a page of changes, `resourcesync/index.html`; see [For people](people.md)',
      '--feed':
        'writes an Atom feed of changed pages, `resourcesync/changes.atom`; see [For people](people.md)',
      '--sign <key>': [
        'signs all documents with the SSH key in this file; not for `watch`; see [Signing](signed.md)',
        { without: 'nothing is signed' },
      ],
      '--sitemap':
        'writes `sitemap.xml` with true dates, or sets the dates in the sitemap of your generator; see [Sitemap](sitemap.md)',
    },
  },
  {
    commands: ['describe'],
    defaults: {},
    flags: {
      '--rows <file | ->': [
        'writes the lists of a bucket from this sorted CSV file; `-` reads standard input; see [Buckets](buckets.md)',
        { key: false },
      ],
      '--before <file>': ['the CSV file of the last run, to list changes', { key: false }],
      '--into <folder>': ['where to write the lists; required with `--rows`', { key: false }],
      '--state <file>': ['keeps the changes of earlier runs in this file', { key: false }],
      '--at <datetime>': [
        'the time of the publication, such as `2026-11-20T10:15:00Z`',
        { key: false, without: 'the newest `modified` of the rows' },
      ],
    },
  },
  {
    commands: ['diff'],
    defaults: {},
    flags: {
      '--gone': [
        'checks every page that you once published; the exit status is 1 if an address no longer works; see [Addresses that are gone](gone.md)',
        { key: false },
      ],
      '--live': [
        'with `--gone`: asks the live site, and reads no redirect files; see [Addresses that are gone](gone.md#on-the-live-site)',
        { key: false },
      ],
      '--exit-code': [
        'sets the exit status: 0 if nothing differs, 1 if something does, 2 on errors',
        { key: false },
      ],
    },
  },
  {
    commands: ['record'],
    defaults: {},
    flags: {
      '--live': ['first checks that the live site has the same lists', { key: false }],
    },
  },
  {
    commands: ['audit'],
    defaults: AUDIT_DEFAULTS,
    flags: {
      '--sample <n | n%>': [
        'compares only this number or share of the files, such as `100` or `5%`',
        { without: 'all' },
      ],
      '--since <datetime>': [
        'compares only files that changed since then, such as `2026-11-20T10:15:00Z`',
        { without: 'all' },
      ],
      '--gone':
        'asks the live site for every page that its Change Lists and archives report as deleted; see [Addresses that are gone](gone.md#on-the-live-site)',
      '--max-bytes <size>': 'ends the audit after this amount of data, such as `500MB`',
      '--max-time <time>': 'ends the audit after this time, such as `10m`',
      '--served-at <URL>': [
        'reads the site at this address, such as a preview; see [Auditing](audit.md#a-preview)',
        { without: 'where it is published' },
      ],
      '--trust <key | file | URL>': [
        'demands a signature by one of these keys: an OpenSSH public key, a file of them, or its https URL; see [A signature](audit.md#a-signature)',
        { repeatable: true },
      ],
      '--strict': ['the exit status is 1 also on warnings', { key: false }],
    },
  },
  {
    commands: ['init'],
    defaults: {},
    flags: {
      '--host <host>': [
        'where the site is published: `github-pages`, `netlify`, `cloudflare`, `vercel` or `none`',
        { without: 'detected' },
      ],
      '--yes': ['makes the changes without asking', { key: false, short: 'y' }],
      '--build': [
        'then runs the build once; undoes the changes if it fails or writes no page',
        { key: false },
      ],
    },
  },
  {
    commands: ['mirror'],
    defaults: MIRROR_DEFAULTS,
    flags: {
      '--served-at <URL>': [
        'reads the site at this address, such as a replica; see [From another address](mirror.md#from-another-address)',
        { without: 'where it is published' },
      ],
      '--documents':
        'also keeps the lists, packages and versions of the site, so that you can serve the copy as a replica; see [A replica](mirror.md#a-replica)',
      '--set <name | URL>': [
        'copies only this set of files: its name, or the URL of its Capability List',
        { key: 'sets', repeatable: true, without: 'all' },
      ],
      '--allow <origin>': [
        'also copies listed files from this server, such as `https://files.example.org`',
        { repeatable: true },
      ],
      '--header <header>': [
        'sends a header, such as `Authorization: Bearer …`, to the server of the site only',
        { key: 'headers', repeatable: true },
      ],
      '--from <where>':
        'how to fetch files: `list` one by one, `dump` in ZIP packages, `auto` the cheaper way',
      '--max-delete <n | n%>': 'deletes nothing if more files than this number or share are no longer listed',
      '--dry-run': 'shows what it would do, and writes nothing',
      '--verify': 'also checks every file of the copy, and fetches damaged and missing ones again',
      '--changes <file>':
        'appends a line of JSON for every file that changed; see [An index of any site](index-a-site.md)',
      '--concurrency <n>': 'fetches this number of files at a time',
      '--requests <n>/<unit>': [
        'limits the requests to each server, such as `4/s` or `30/min`; see [Few requests](mirror.md#few-requests)',
        { without: 'no limit' },
      ],
      '--contact <mail | URL>': 'puts your address into `User-Agent`',
      '--max-bytes <size>': 'ends a run after this amount of data, such as `500MB`',
      '--max-time <time>': 'ends a run after this time, such as `10m`',
      '--trust <key | file | URL>': [
        'demands a signature by one of these keys: an OpenSSH public key, a file of them, or its https URL; see [Signatures](mirror.md#signatures)',
        { repeatable: true, without: 'the key that signed the copy before' },
      ],
      '--max-age <time>': ['refuses lists that are older than this, such as `30d`', { without: 'no limit' }],
      '--every <time>': ['runs again after this time, such as `10m`', { key: false, without: 'off' }],
      '--follow': [
        'keeps running; updates the copy when a channel of the site reports a change; see [Following](mirror.md#following)',
        { key: false },
      ],
    },
  },
  {
    commands: ['notify'],
    defaults: NOTIFY_DEFAULTS,
    flags: {
      '--channel <URL>': [
        'tells this channel to read the site now',
        { key: 'channels', repeatable: true, without: 'as configured in `channels`' },
      ],
      '--hub <URL>': [
        'notifies this WebSub hub',
        { key: 'hubs', repeatable: true, without: 'as configured in `hub`' },
      ],
      '--indexnow <key>':
        'sends the URLs of changed pages to search engines; the site must have a file `<key>.txt` with the key',
      '--at <datetime>': [
        'waits until this publication is live',
        { without: 'the newest one of the folder' },
      ],
      '--wait <time>': 'waits at most this time, such as `10m`',
      '--since <datetime>': ['reports all publications since then', { without: 'only the newest' }],
    },
  },
  {
    commands: ['channel'],
    defaults: CHANNEL_DEFAULTS,
    flags: {
      '--port <n>': 'listens on this port; `0` chooses a free one',
      '--host <address>': 'listens on this address; `0.0.0.0` means all',
      '--every <time>': 'reads the site again after this time, such as `10m`',
    },
  },
  {
    commands: COMMANDS,
    defaults: {},
    flags: {
      '--json': [
        'prints the report as JSON; with `watch`, `--every` and `--follow`, a line for each run; with `channel`, a line for each event',
        { key: false },
      ],
      '--quiet': ['prints no report, only notices and errors', { key: false }],
      '--verbose': [
        'prints every document, change, finding and skipped file, and the time of each stage; with `diff`, also the changed passages',
        { key: false },
      ],
      '--version': ['prints the version', { key: false }],
      '--help': ['prints this help', { key: false, short: 'h' }],
    },
  },
] as const satisfies readonly Section[];

/** Finds the option without a flag that an unknown flag means, such as `pageLinks` for `page-links`. */
export function findConfigured(flag: string): string | undefined {
  const key = toKey(flag);
  return Object.hasOwn(OptionsSchema.entries, key) ? key : undefined;
}

const toKey = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

type NameOf<Written> = Written extends `--${infer Name} ${string}`
  ? Name
  : Written extends `--${infer Name}`
    ? Name
    : never;

type KeyOf<T> = T extends unknown ? keyof T : never;

export type FlagName = NameOf<KeyOf<(typeof SECTIONS)[number]['flags']>>;

export interface CommandFlag {
  /** Name of the flag, without `--`. */
  readonly name: FlagName;
  /** Placeholder for the value of the flag, such as `<URL>`; undefined for a switch. */
  readonly value: string | undefined;
  /** Description of the flag, in Markdown. */
  readonly text: string;
  /** The option that the flag sets; undefined if it sets none. */
  readonly key: string | undefined;
  /** The value that applies without the flag, in Markdown. */
  readonly preset: string;
  readonly short: string | undefined;
  readonly isRepeatable: boolean;
  /** All commands that take the flag. */
  readonly commands: readonly Command[];
  /** The commands for which `preset` holds: those of the section of the flag. */
  readonly owners: readonly Command[];
}

const FLAG_SYNTAX = /^--(\S+)(?: (.*))?$/;

/** All flags. Commands may have different flags of one name, but then all of these take a value, or none does. */
export const FLAGS: readonly CommandFlag[] = SECTIONS.flatMap(({ commands, defaults, flags }: Section) =>
  Object.entries(flags).map(([written, row]) => {
    const [text, facts]: readonly [string, FlagFacts] = typeof row === 'string' ? [row, {}] : row;
    const [, word, value] = matchGroups(FLAG_SYNTAX, written);
    const name = word as FlagName;
    const { also = [], key = toKey(name) } = facts;
    const preset = value === undefined ? 'off' : showDefault(defaults[String(key)]);
    return {
      name,
      value,
      text,
      key: key === false ? undefined : key,
      preset: facts.without ?? preset,
      short: facts.short,
      isRepeatable: facts.repeatable === true,
      commands: [...commands, ...also],
      owners: commands,
    };
  }),
);

export function flagsOf(command: Command): readonly CommandFlag[] {
  return FLAGS.filter(({ commands }) => commands.includes(command));
}

function showDefault(value: unknown): string {
  const isNone = value === undefined || (Array.isArray(value) && value.length === 0);
  return isNone ? 'none' : `\`${String(value)}\``;
}

/** Returns the operands and the description of a command, in Markdown. */
export function findCommand(command: Command): { readonly operands: string; readonly text: string } {
  const [operands, text] = WRITTEN_COMMANDS[command];
  return { operands, text };
}
