/** Passwords. The sign-in library hashes and compares them, and is loaded with the first one. */

/** Returns the hash that is stored. It takes some tens of milliseconds and megabytes, by intent. */
export async function hashPassword(password: string): Promise<string> {
  return (await import('better-auth/crypto')).hashPassword(password);
}

export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return (await import('better-auth/crypto')).verifyPassword(given);
}
