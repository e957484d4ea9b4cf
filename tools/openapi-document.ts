/**
 * The OpenAPI document of the present server. The public one is the text of `openapi.json`, and the client's types are
 * generated from the complete one. It needs no database.
 */
import { buildApp } from '../server/src/app.ts';
import { loadConfig } from '../server/src/config.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { installSecret } from '../server/src/db/install-secret.ts';
import { publicDocument, wholeDocument } from '../server/src/http/openapi.ts';

export async function openApiDocuments(): Promise<{ open: string; whole: string }> {
  const db = openDatabase('postgresql://nobody@127.0.0.1:1/none', { commitSteps: [] });
  const app = await buildApp({
    config: loadConfig({ MERLON_LOG_LEVEL: 'silent' }),
    db,
    secret: installSecret(Buffer.alloc(32)),
    log: false,
  });
  await app.ready();
  const documents = { open: `${text(publicDocument(app))}\n`, whole: `${text(wholeDocument(app))}\n` };
  await app.close();
  await db.close();
  return documents;
}

// Longer lines save indentation, and still show a whole parameter or field.
const lineLength = 240;

/** Writes JSON in which a value or an example is on one line, if a value fits there, and short entries share a line. */
function text(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (indent.length + line.length <= lineLength || typeof value !== 'object' || value === null) return line;
  const [only, ...others] = Object.entries(value).filter(([, one]) => one !== undefined);
  // An object with one entry takes no line and no indentation of its own.
  if (!Array.isArray(value) && only !== undefined && others.length === 0) {
    return `{${JSON.stringify(only[0])}:${text(only[1], indent)}}`;
  }
  const inner = `${indent} `;
  const entries = Array.isArray(value)
    ? value.map((one) => text(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(
          ([name, one]) =>
            `${JSON.stringify(name)}:${name === 'example' ? JSON.stringify(one) : text(one, inner)}`,
        );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines: string[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    const joined = `${last},${entry}`;
    if (last !== undefined && !joined.includes('\n') && inner.length + joined.length < lineLength) {
      lines[lines.length - 1] = joined;
    } else lines.push(entry);
  }
  return `${open}\n${lines.map((one) => inner + one).join(',\n')}\n${indent}${close}`;
}
