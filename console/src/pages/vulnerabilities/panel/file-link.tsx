/** A file of the repository, as a link to its forge where that is known. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { repositoryQuery } from '../../../api/inventory.ts';
import { forgesQuery } from '../../../api/settings.ts';
import type { Vulnerability } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { OuterLink } from '../../../components/outer-link.tsx';
import { fileAddress, forgeOf } from './file-address.ts';

interface FileLinkProps {
  /** Its repository has the file, on the reference of its location. */
  detail: Vulnerability;
  path: string;
  line: number | null;
  children: ReactNode;
}

/** The types of problems whose locations are files; the others are in images, addresses or elsewhere. */
const typesInFiles = new Set(['dependency', 'sast', 'secret', 'iac', 'license', 'malware']);

export function FileLink({ detail, path, line, children }: FileLinkProps) {
  const { slug } = useWorkspace();
  const { repository, location, type } = detail;
  const isFile = typesInFiles.has(type) && path !== '.';
  const { data } = useQuery({
    ...repositoryQuery(slug, repository.id),
    enabled: isFile,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: forges } = useQuery({ ...forgesQuery(slug), enabled: isFile });
  // Until the forges of the workspace are known, a public one could be the wrong one.
  const forge = data && forges && forgeOf(data.source, data.org.full_path, forges.items);
  if (!isFile || !forge) return children;
  const { ref, sha, type: refType } = location.reference;
  const address = fileAddress({
    forge,
    fullName: data.full_name,
    sha,
    ref,
    refType,
    path,
    line,
  });
  return address === null ? children : <OuterLink href={address}>{children}</OuterLink>;
}
