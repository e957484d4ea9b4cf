/** Creates the generated files of the client from an OpenAPI document. */
import openapiTypescript, { astToString } from 'openapi-typescript';

interface Schema {
  enum?: string[];
  items?: Schema;
}

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

const header = '// Generated from the routes of the server by "npm run openapi": do not edit.\n';

/** The text of each generated file, by its path in the repository. */
export async function clientFiles(text: string): Promise<Record<string, string>> {
  const document: Document = JSON.parse(text);
  return {
    'client/src/api.gen.ts': header + astToString(await openapiTypescript(text)),
    'client/src/operation-table.gen.ts': header + operationTable(document),
    'client/src/query-values.gen.ts': header + queryValues(document),
  };
}

function operationTable({ paths }: Document): string {
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

function queryValues({ paths, components }: Document): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const rows = operations.map(({ operationId, parameters = [] }) => {
    const values = parameters
      .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
      .flatMap((one) => {
        const allowed = one?.in === 'query' ? (one.schema.enum ?? one.schema.items?.enum) : undefined;
        return one && allowed
          ? `    ${one.name}: [${allowed.map((value) => `'${value}'`).join(', ')}],\n`
          : [];
      });
    return values.length === 0 ? '' : `  ${operationId}: {\n${values.join('')}  },\n`;
  });
  return (
    '/** The allowed values of each query parameter that has such a list, by the operation and its parameter. */\n' +
    `export const queryValues = {\n${rows.join('')}} as const;\n`
  );
}
