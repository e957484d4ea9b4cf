/** How the address names a policy: by its key, which people read. */
export const newPolicy = 'new';

/** A policy may itself have the key `new`; it is named by its id. */
export function policyParam({ id, key }: { id: string; key: string }): string {
  return key === newPolicy ? id : key;
}
