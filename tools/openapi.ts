/** Writes `openapi.json` and the client's types from the server's routes: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { clientTypes } from '../client/generate.ts';
import { openApiDocuments } from './openapi-document.ts';

const { open, whole } = await openApiDocuments();
writeFileSync('openapi.json', open);
writeFileSync('client/src/api.gen.ts', await clientTypes(whole));
