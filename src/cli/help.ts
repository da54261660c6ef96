/** What `--help` prints. */

export const HELP = `Publishes ResourceSync (ANSI/NISO Z39.99) documents for a static site.

Usage
  resync-static [describe] <site> --url <URL>   write the documents into the site
  resync-static watch <site> --url <URL>        the same after every rebuild, until interrupted
  resync-static audit <site | URL>              check what is published

  <site> is the folder that the build writes, such as ./dist.

Options
  --url <URL>        absolute http(s) URL at which the site's root is served
  --config <file>    configuration; default resync-static.config.{ts,mts,js,mjs,json}
  --urls <style>     how HTML files become URLs:
                       directory  a/index.html → /a/   a/b.html → /a/b.html  (default)
                       clean      a/index.html → /a/   a/b.html → /a/b
                       bare       a/index.html → /a    a/b.html → /a/b
                       file       a/index.html → /a/index.html
  --include <glob>   list also what is left out by default, such as 404.html; repeatable
  --exclude <glob>   leave out more; repeatable
  --hash <names>     md5, sha-256, sha-512; default md5,sha-256
  --history <where>  where publications are kept: auto (default), none, published
                     (the live site at --url tells what it was), snapshots[:<name>],
                     or a branch, <ref>[:<folder>]
  --record           keep this publication (snapshots); not with watch
  --dumps            publish site and changes as ZIP packages, too
  --robots           name the Resource List in robots.txt
  --html-links       link every page to the Capability List, in its <head>
  --headers <host>   the same, and a media type, in _headers: netlify, cloudflare

Options of audit, besides --url, --urls, --include and --exclude
  --sample <n | n%>  compare the bytes of so many resources and packages only
  --since <time>     only of what has changed since, such as 2026-11-20T10:15:00Z
  --against <site>   the folder with what should be served; shows where bytes differ
  --max-bytes <size> end after so many bytes, such as 500MB; default 200GB
  --max-time <time>  end after so long, such as 10m; default 12h
  --strict           exit with 1 on warnings, too

Options of all
  --json             the report as one JSON object on standard output;
                     with watch one line for each run
  --quiet            only notices and errors
  --verbose          every document, every finding, and the time of each stage
  --version, --help

Environment
  SOURCE_DATE_EPOCH  seconds since 1970: the moment that the documents name, instead of now
  NO_COLOR           no colours

Exit status: 0 done, or a watch was interrupted, 1 the work failed or the audit found errors, 2 the
command line or the configuration is wrong.
`;
