/** A file of the repository, as a link to its forge if the forge is known. */
import type { ReactNode } from 'react';
import type { Vulnerability } from '../../../api/vulnerabilities.ts';
import { ForgeLink, useForgeRepository } from '../../../components/forge-link.tsx';

interface FileLinkProps {
  /** The repository of this vulnerability has the file, on the reference of its location. */
  detail: Vulnerability;
  path: string;
  line: number | null;
  children: ReactNode;
}

/** The types of problems whose locations are files; the others are in images, addresses or elsewhere. */
const typesInFiles = new Set(['dependency', 'sast', 'secret', 'iac', 'license', 'malware']);

export function FileLink({ detail, path, line, children }: FileLinkProps) {
  const { repository, location, type } = detail;
  const isFile = typesInFiles.has(type) && path !== '.';
  const { reference } = location;
  return (
    <ForgeLink
      repository={useForgeRepository(isFile ? repository.id : null)}
      target={{ type: 'file', path, line, sha: reference.sha, reference }}
    >
      {children}
    </ForgeLink>
  );
}
