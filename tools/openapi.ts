/** Writes `openapi.json` and the generated files of the client from the server's routes: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { clientFiles } from '../client/generate.ts';
import { openApiDocuments } from './openapi-document.ts';

const { open, whole } = await openApiDocuments();
writeFileSync('openapi.json', open);
for (const [path, text] of Object.entries(await clientFiles(whole))) writeFileSync(path, text);
