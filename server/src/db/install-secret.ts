/**
 * The keys of the install. A file holds one secret of 32 random bytes, the same on all nodes. HKDF derives each key
 * from it with its own purpose, so that a leaked key tells nothing about another.
 */
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const purposes = [
  'cursor',
  'secret-identity',
  'report-encryption',
  'session',
  'csrf',
  'known-browser',
  'webhook',
  'issue-tracker',
] as const;
export type KeyPurpose = (typeof purposes)[number];

export interface InstallSecret {
  /** 32 bytes for one purpose. */
  key(purpose: KeyPurpose): Buffer;
  /** Shows whether two nodes, or a database and a node, have the same secret. It does not reveal the secret. */
  fingerprint: string;
}

/**
 * Reads the secret. With `create`, creates the file (mode 0600) if it is missing. Throws an Error that says what to do
 * if the secret is missing or too short.
 */
export async function loadInstallSecret(path: string, create: boolean): Promise<InstallSecret> {
  let text = await readIfThere(path);
  if (text === undefined) {
    if (!create) {
      throw new Error(
        `MERLON_SECRET_FILE=${path}: no such file. Make it once, for all nodes: openssl rand -hex 32 > ${path}`,
      );
    }
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
      await chmod(path, 0o600);
    } catch (error) {
      // Another process has created the file meanwhile, so its secret is used.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    text = await readFile(path, 'utf8');
  }
  const trimmed = text.trim();
  if (!/^[0-9a-f]{64,}$/i.test(trimmed)) {
    throw new Error(`${path}: the secret must be 64 or more hexadecimal characters: openssl rand -hex 32`);
  }
  return installSecret(Buffer.from(trimmed, 'hex'));
}

export function installSecret(bytes: Buffer): InstallSecret {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', bytes, '', `merlon/${purpose}`, 32));
  const keys = new Map<KeyPurpose, Buffer>(purposes.map((purpose) => [purpose, derive(purpose)]));
  return {
    key: (purpose) => {
      const key = keys.get(purpose);
      if (!key) throw new Error(`no key for ${purpose}`);
      return key;
    },
    fingerprint: createHash('sha256').update(derive('fingerprint')).digest('hex').slice(0, 16),
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
