/** Runs a statement of DuckDB, which standard input gives, in the working directory. */

import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(await text(process.stdin));
