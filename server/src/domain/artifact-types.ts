/** What a vulnerability is found in, where the report says it: a version of a package, an image, a file. */
export const artifactTypes = ['package_version', 'image', 'file'] as const;
export type ArtifactType = (typeof artifactTypes)[number];
