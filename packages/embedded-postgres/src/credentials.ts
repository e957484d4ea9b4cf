/**
 * The generated passwords of the cluster, in `<dataDir>/postgres-credentials.json`. They are created once, with the
 * cluster. A finished cluster never gets others.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError, systemErrorCode } from './error.ts';
import { type OwnerIds, setOwner } from './run-user.ts';

export interface Credentials {
  ownerPassword: string;
  appPassword: string;
}

export function credentialsFile(dataDir: string): string {
  return join(dataDir, 'postgres-credentials.json');
}

/**
 * Reads the passwords, or creates them for a new cluster. Throws EmbeddedPostgresError if a cluster exists without
 * them.
 */
export function openCredentials(dataDir: string, clusterExists: boolean, owner: OwnerIds): Credentials {
  const file = credentialsFile(dataDir);
  let text: string | undefined;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  if (text !== undefined) {
    const found = parseCredentials(text);
    if (found !== undefined) return found;
  }
  if (clusterExists || text !== undefined) {
    throw new EmbeddedPostgresError(
      'credentials',
      `${file} is ${text === undefined ? 'missing' : 'damaged'}: it has the passwords of the PostgreSQL data in ` +
        `${join(dataDir, 'postgres')}. Put it back from a backup of the data directory. If that data may be lost, ` +
        'move both away, and the next start makes an empty database.',
    );
  }
  const created = { ownerPassword: randomPassword(), appPassword: randomPassword() };
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  setOwner(partial, owner);
  renameSync(partial, file);
  return created;
}

function parseCredentials(text: string): Credentials | undefined {
  try {
    const { ownerPassword, appPassword } = JSON.parse(text) as Partial<Record<string, unknown>>;
    const wellFormed = /^[0-9A-Za-z]{32}$/;
    if (typeof ownerPassword !== 'string' || !wellFormed.test(ownerPassword)) return undefined;
    if (typeof appPassword !== 'string' || !wellFormed.test(appPassword)) return undefined;
    return { ownerPassword, appPassword };
  } catch {
    return undefined;
  }
}

/** 32 characters of base62 are 190 bits, and need no escaping in a URL. */
function randomPassword(): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
