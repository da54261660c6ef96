/** All sections, in the order of the table. */

import type { Section } from './section.js';
import { sections as audit } from './subjects/audit.js';
import { sections as channel } from './subjects/channel.js';
import { sections as delay } from './subjects/delay.js';
import { sections as dumps } from './subjects/dumps.js';
import { sections as files } from './subjects/files.js';
import { sections as follow } from './subjects/follow.js';
import { sections as gone } from './subjects/gone.js';
import { sections as history } from './subjects/history.js';
import { sections as liveHistory } from './subjects/live-history.js';
import { sections as memory } from './subjects/memory.js';
import { sections as mirror } from './subjects/mirror.js';
import { sections as people } from './subjects/people.js';
import { sections as record } from './subjects/record.js';
import { sections as requests } from './subjects/requests.js';
import { sections as rows } from './subjects/rows.js';
import { sections as scale } from './subjects/scale.js';
import { sections as versions } from './subjects/versions.js';
import { sections as watch } from './subjects/watch.js';

export const SECTIONS: readonly Section[] = [
  ...files,
  ...history,
  ...gone,
  ...record,
  ...liveHistory,
  ...dumps,
  ...versions,
  ...watch,
  ...audit,
  ...mirror,
  ...delay,
  ...requests,
  ...follow,
  ...channel,
  ...people,
  ...memory,
  ...rows,
  ...scale,
];
