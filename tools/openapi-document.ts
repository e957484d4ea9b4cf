/** The OpenAPI document of the server as it stands, as the text of `openapi.json`. Asks no database. */
import { buildApp } from '../server/src/app.ts';
import { loadConfig } from '../server/src/config.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { installSecret } from '../server/src/db/install-secret.ts';

export async function openApiDocument(): Promise<string> {
  const db = openDatabase('postgresql://nobody@127.0.0.1:1/none', { commitSteps: [] });
  const app = await buildApp({
    config: loadConfig({ MERLON_LOG_LEVEL: 'silent' }),
    db,
    secret: installSecret(Buffer.alloc(32)),
    log: false,
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  await db.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
