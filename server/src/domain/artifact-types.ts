/** The kinds of artifacts that a report may name for a vulnerability: a version of a package, an image, a file. */
export const artifactTypes = ['package_version', 'image', 'file'] as const;
export type ArtifactType = (typeof artifactTypes)[number];
