/** Passwords, hashed and compared by the sign-in library, which is loaded with the first of them. */

/** Returns the hash that is stored. It takes some tens of milliseconds and megabytes, by intent. */
export async function hashPassword(password: string): Promise<string> {
  return (await import('better-auth/crypto')).hashPassword(password);
}

export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return (await import('better-auth/crypto')).verifyPassword(given);
}
