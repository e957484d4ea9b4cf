/** Creates the generated files of the client from an OpenAPI document. */
import openapiTypescript, { astToString } from 'openapi-typescript';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const header = '// Generated from the routes of the server by "npm run openapi": do not edit.\n';

/** The text of each generated file, by its path in the repository. */
export async function clientFiles(document: string): Promise<Record<string, string>> {
  return {
    'client/src/api.gen.ts': header + astToString(await openapiTypescript(document)),
    'client/src/operation-table.gen.ts': header + operationTable(JSON.parse(document)),
  };
}

function operationTable({ paths }: { paths: Record<string, Record<string, Operation>> }): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => {
      const row = [method.toUpperCase(), path, ...(hasTextAnswer(responses) ? ['text'] : [])];
      return `  ${operationId}: [${row.map((part) => `'${part}'`).join(', ')}],\n`;
    }),
  );
  const type = "Record<keyof operations, readonly [method: string, path: string, answer?: 'text']>";
  return (
    "import type { operations } from './api.gen.ts';\n\n" +
    '/** Method and path of every operation. An answer that is not JSON is marked as text. */\n' +
    `export const operationTable: ${type} = {\n${rows.join('')}};\n`
  );
}

function hasTextAnswer(responses: Operation['responses']): boolean {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success?.content !== undefined && !('application/json' in success.content);
}
