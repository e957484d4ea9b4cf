/** Links to the forge of a repository, if the forge is known. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { repositoryQuery } from '../api/inventory.ts';
import { forgesQuery } from '../api/settings.ts';
import { useWorkspace } from '../api/workspaces.ts';
import {
  type ForgeReference,
  type ForgeTarget,
  forgeAddress,
  forgeName,
  forgeOf,
  pullRequestNumber,
} from './forge-addresses.ts';
import { OuterLink } from './outer-link.tsx';
import { visibleText } from './report-text.tsx';

export interface ForgeRepository {
  full_name: string;
  source: string;
  org: { full_path: string };
}

/** Undefined means that the repository is not known yet. */
type MaybeRepository = ForgeRepository | undefined;

/** Reads the repository for links to its forge, unless `id` is null. */
export function useForgeRepository(id: string | null): MaybeRepository {
  const { slug } = useWorkspace();
  const { data } = useQuery({
    ...repositoryQuery(slug, id ?? ''),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

interface ForgePage {
  address: string;
  name: string;
}

function useForgePage(repository: MaybeRepository, target: ForgeTarget): ForgePage | null {
  const { slug } = useWorkspace();
  const { data: forges } = useQuery({ ...forgesQuery(slug), enabled: repository !== undefined });
  // Until the forges of the workspace are known, a public one could be the wrong one.
  if (!repository || !forges) return null;
  const forge = forgeOf(repository.source, repository.org.full_path, forges.items);
  const address = forge && forgeAddress(forge, repository.full_name, target);
  return forge && address ? { address, name: forgeName(forge) } : null;
}

interface ForgeLinkProps {
  repository: MaybeRepository;
  target: ForgeTarget;
  children: ReactNode;
}

/** Shows its children, as a link if the forge is known. */
export function ForgeLink({ repository, target, children }: ForgeLinkProps) {
  const page = useForgePage(repository, target);
  return page ? <OuterLink href={page.address}>{children}</OuterLink> : children;
}

interface CommitLinkProps {
  repository: MaybeRepository;
  sha: string;
  /** Number of characters of the hash to show. Without it, the whole hash is shown. */
  length?: number;
}

export function CommitLink({ repository, sha, length }: CommitLinkProps) {
  const page = useForgePage(repository, { type: 'commit', sha });
  const text = <span className="mono">{sha.slice(0, length)}</span>;
  if (page === null) return text;
  return (
    <OuterLink href={page.address} aria-label={`Open the commit ${sha} at ${page.name}`}>
      {text}
    </OuterLink>
  );
}

interface ReferenceLinkProps {
  repository: MaybeRepository;
  reference: ForgeReference;
}

/** Shown beside the name of a reference, which may be a link inside Merlon. */
export function ReferenceForgeLink({ repository, reference }: ReferenceLinkProps) {
  const page = useForgePage(repository, { type: 'reference', reference });
  if (page === null) return null;
  const label = `Open ${referenceLabel(reference)} at ${page.name}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={label}
        component={OuterLink}
        href={page.address}
      >
        <IconExternalLink size={13} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

function referenceLabel(reference: ForgeReference): string {
  const pull = pullRequestNumber(reference);
  return pull === null ? `the ${reference.type} ${visibleText(reference.ref)}` : `the pull request ${pull}`;
}
