/**
 * The text of an API key is `mrl_pat_` (personal) or `mrl_wsk_` (workspace), 40 base62 characters and 6 of CRC32.
 * The prefix and the checksum let secret scanners, and us, recognise a key without the database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes = { personal: 'mrl_pat_', workspace: 'mrl_wsk_' } as const;
const keyPattern = /^mrl_(?:pat|wsk)_[0-9A-Za-z]{46}$/;
const randomLength = 40;

export function newKeyString(kind: 'personal' | 'workspace'): string {
  let body = '';
  while (body.length < randomLength) {
    // Bytes of 248 and more would favour the first eight digits, so they are dropped.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && body.length < randomLength) body += digits[byte % 62];
    }
  }
  return prefixes[kind] + body + checksum(prefixes[kind] + body);
}

/** True for the right form and checksum; any other key cannot exist. */
export function isKeyString(text: string): boolean {
  return keyPattern.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The digest of a key. The database stores nothing else of it. */
export function hashKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let result = '';
  for (let i = 0; i < 6; i++) {
    result = digits[rest % 62] + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}
