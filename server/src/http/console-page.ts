/** Addresses of pages of the console, for answers that people read elsewhere. */

/** Without a public URL the server does not know its own name, so the result is a path. */
export function consolePage(publicUrl: string | null, slug: string, path: string): string {
  return `${publicUrl ?? ''}/w/${slug}/${path}`;
}
