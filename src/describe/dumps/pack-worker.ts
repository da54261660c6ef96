/** The thread that writes packages; see `pack.ts`. */

import { answerQuestions } from '../../base/threads.js';
import { packPackage } from './pack.js';

answerQuestions(packPackage);
