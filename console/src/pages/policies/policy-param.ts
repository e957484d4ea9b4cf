/** The address names a policy by its key, which people can read. */
export const newPolicy = 'new';

/** A policy may have the key `new`. The address then uses its id. */
export function policyParam({ id, key }: { id: string; key: string }): string {
  return key === newPolicy ? id : key;
}
