/** What `--help` prints. */

export const HELP = `Adds lists of all URLs and all changes to a static site (ResourceSync, ANSI/NISO Z39.99).

Usage
  resync-static [describe] <site> --url <URL>   write the documents into the site
  resync-static watch <site> --url <URL>        the same after every rebuild, until Ctrl-C
  resync-static diff <site> --url <URL>         show what the next publication would change
  resync-static audit <site | URL>              check the documents and the files that they list
  resync-static mirror <URL> <folder>           copy a site, and keep the copy up to date
  resync-static channel <URL>                   tell connected programs of changes at once
  resync-static notify <site | URL>             tell others that a deploy is live
  resync-static init [<site>]                   set up the project in the working directory

  <site> is the folder that the build writes, such as ./dist.

Options
  --url <URL>        absolute http(s) URL of the site
  --config <file>    configuration file; default resync-static.config.{ts,mts,js,mjs,json}
  --urls <style>     how HTML files become URLs:
                       directory  a/index.html → /a/   a/b.html → /a/b.html  (default)
                       clean      a/index.html → /a/   a/b.html → /a/b
                       bare       a/index.html → /a    a/b.html → /a/b
                       file       a/index.html → /a/index.html
  --include <glob>   also list files that are left out by default, such as 404.html;
                     may be repeated
  --exclude <glob>   leave out more files; may be repeated
  --hash <names>     checksums: md5, sha-256, sha-512; default md5,sha-256
  --history <where>  where earlier publications are kept: auto (default), none,
                     published (on the live site at --url), snapshots[:<name>],
                     or a branch, <ref>[:<folder>]
  --source <URL>     another build writes the Source Description, at this URL, and joins
                     the sets of this one
  --record           keep this publication as a snapshot; not with watch
  --dumps            also write the site and its changes as ZIP packages
  --archives         also write the changes of earlier months, and what was there at their ends
  --robots           add the Resource List to robots.txt
  --html-links       add a link to the Capability List to the <head> of every page
  --headers <host>   write _headers rules for this host: links and the media type;
                     netlify or cloudflare
  --versions         keep every listed version at an address of its own, and link to it
  --withdraw <glob | URL>  remove what was published of a file, also in the past;
                     may be repeated
  --page             write a page for people: what changed, and how to copy the site
  --feed             write an Atom feed of changed pages
  --page-links       list the links that pages have in their <head>, such as license
  --channels <URL>   name the channels that tell of changes, such as wss://push.example.org/
  --noindex <what>   pages that say noindex: keep, skip; default keep

Options of diff, besides those above; diff writes nothing
  --exit-code        exit with 0 if nothing differs, 1 if something does, 2 for errors

Options of audit, besides --url, --urls, --include and --exclude
  --sample <n | n%>  compare only this many resources and packages
  --since <time>     compare only what changed since, such as 2026-11-20T10:15:00Z
  --against <site>   the folder with the right files; shows where bytes differ
  --max-bytes <size> stop after this many bytes, such as 500MB; default 200GB
  --max-time <time>  stop after this time, such as 10m; default 12h
  --strict           exit with 1 for warnings, too

Options of mirror
  --set <name | URL> copy only this set of resources; may be repeated
  --allow <origin>   also copy files from this server; may be repeated
  --header <header>  send this header to the server of <URL>, and to no other; may be repeated
  --from <where>     list fetches every file by itself, dump takes files from ZIP packages;
                     default auto, which is cheaper
  --max-delete <n | n%>  delete nothing if more files than this are no longer listed; default 50%
  --no-delete        delete nothing; a later run does it
  --dry-run          show what would be done, and write nothing
  --verify           also read every file of the copy again, and mend what differs
  --changes <file>   append a line of JSON for every file that changed
  --concurrency <n>  fetch so many files at a time; default 8
  --rate <size>      receive at most so many bytes a second, such as 2MB
  --max-bytes <size> stop after this many bytes, such as 500MB; default 200GB
  --max-time <time>  stop after this time, such as 10m; default 7d
  --every <time>     run again after this time, such as 10m, until Ctrl-C
  --follow           stay, and run again as soon as a channel of the Source tells of news

Options of notify, besides --url; one of the first three is needed
  --channel <URL>    tell this channel to look now; may be repeated
  --hub <URL>        tell this WebSub hub; may be repeated
  --indexnow <key>   tell search engines which pages changed
  --indexnow-endpoint <URL>  whom IndexNow tells; default https://api.indexnow.org/indexnow
  --at <time>        wait until the publication of this time is live; default, with a folder:
                     its newest one
  --wait <time>      wait at most so long, such as 10m; default 5m
  --since <time>     tell all publications since, not only the newest

Options of channel, besides --every, the time between two looks; default 60s
  --port <n>         listen on this port; default 8080
  --host <address>   listen on this address; default 127.0.0.1, which only this machine reaches
  --connections <n>  how many may be connected at one time; default 10000

Options of init, besides --url and --urls; init asks for what it cannot find out
  --host <host>      where the site is published: github-pages, netlify, cloudflare,
                     vercel or none
  --yes, -y          make the changes without asking
  --build            then run the build once, and show the comparison

Options of all commands
  --json             print the report as one JSON object; with watch, --every and
                     --follow, one line
                     for each run
  --quiet            print only notices and errors
  --verbose          print every document, every finding, and the time of each stage;
                     every changed URL and skipped file; with diff, every change, and
                     how texts changed line by line
  --version, --help

Environment
  SOURCE_DATE_EPOCH  the time that the documents give instead of now, in seconds since 1970
  NO_COLOR           print without colours
  RESYNC_HEADER      a header for mirror, as with --header, but hidden from other users

Exit status: 0 done, or a watch, a channel or a mirror that follows was interrupted; 1 the work
failed, the audit found errors, or somebody could not be told; 2 the command line or the
configuration is wrong; 3 mirror stopped by --max-delete. With diff --exit-code, see above.
`;
