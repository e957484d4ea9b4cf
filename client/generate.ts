/** Makes the client's types from an OpenAPI document: the text of `src/api.gen.ts`. */
import openapiTypescript, { astToString } from 'openapi-typescript';

export async function clientTypes(document: string): Promise<string> {
  const header = '// Generated from the routes of the server by "npm run openapi": do not edit.\n';
  return header + astToString(await openapiTypescript(document));
}
