/**
 * Encrypts bytes with a key of the install and binds them to their owner, so that a copied row is of no use elsewhere:
 * AES-256-GCM, as nonce, encrypted bytes and tag.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** `owner` names the row; the same text opens the bytes. */
export function seal(plain: Buffer | string, owner: string, key: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(owner),
  );
  const encrypted = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the bytes were altered, are of another owner, or were sealed with another key. */
export function unseal(sealed: Uint8Array, owner: string, key: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
