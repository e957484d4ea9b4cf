/** Closes objects that the test files of a process share, such as a browser, when all of the files are done. */

const works: (() => Promise<void>)[] = [];

export function afterAllFiles(work: () => Promise<void>): void {
  works.push(work);
}

/** `tools/test-group.ts` calls it after the last file. */
export async function closeShared(): Promise<void> {
  for (const work of works.splice(0)) await work();
}
