/** Writes `openapi.json` from the server's routes, and the client's types from that: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { clientTypes } from '../client/generate.ts';
import { openApiDocument } from './openapi-document.ts';

const document = await openApiDocument();
writeFileSync('openapi.json', document);
writeFileSync('client/src/api.gen.ts', await clientTypes(document));
