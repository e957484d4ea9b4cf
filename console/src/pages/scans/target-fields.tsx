/** The fields about the reports: the repository and reference they belong to, and how they count. */
import { Autocomplete, Checkbox, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { fieldError } from '../../api/errors.ts';
import { referenceNamesQuery, repositoryNamesQuery } from '../../api/repository-names.ts';
import type { UploadTarget } from '../../api/scans.ts';
import { useRequired } from '../../components/use-required.ts';

/** The target as the person typed it. `ref` is null until they type one. */
export type TypedTarget = Omit<UploadTarget, 'ref'> & { ref: string | null };

// Most repositories use this name for their default branch.
const usualBranch = 'main';

interface TargetFieldsProps {
  slug: string;
  target: TypedTarget;
  onChange: (target: TypedTarget) => void;
  /** The server's error about the target. */
  refusal: unknown;
}

// People do not read more suggestions than this.
const suggestions = 20;
// The search waits for a pause in typing, so that not every letter sends a request.
const pauseMs = 350;

export function TargetFields({ slug, target, onChange, refusal }: TargetFieldsProps) {
  const { data: repositories } = useQuery(repositoryNamesQuery(slug));
  const repo = target.repo.trim();
  const references = useReferences(slug, repo, repositories);
  const defaultBranch = references.find(({ is_default }) => is_default)?.name;
  const set = (changed: Partial<TypedTarget>) => onChange({ ...target, ...changed });
  const repoField = useRequired({
    message: 'Enter a repository.',
    refusal: fieldError(refusal, 'repo'),
    value: target.repo,
  });
  const shaField = useRequired({
    message: '7 to 64 digits of the commit’s hash',
    refusal: fieldError(refusal, 'sha'),
    value: target.sha,
    isRequired: false,
  });
  return (
    <Stack gap="md">
      <div className="upload-fields">
        <Autocomplete
          label="Repository"
          description="Such as org/name. A new name creates a repository."
          {...repoField}
          data={repositories ?? []}
          limit={suggestions}
          value={target.repo}
          onChange={(repo) => set({ repo })}
        />
        <Autocomplete
          label="Branch, tag or pull request"
          description="Empty: the default branch, if the repository has one."
          data={references.map(({ name }) => name)}
          limit={suggestions}
          value={target.ref ?? (isNew(repo, repositories) ? usualBranch : (defaultBranch ?? ''))}
          onChange={(ref) => set({ ref })}
          error={fieldError(refusal, 'ref')}
        />
        <TextInput
          label="Commit"
          description="The hash, if it is known."
          classNames={{ input: 'mono' }}
          pattern="\s*[0-9a-fA-F]{7,64}\s*"
          title="7 to 64 digits of the commit’s hash"
          value={target.sha}
          onChange={(event) => set({ sha: event.currentTarget.value })}
          {...shaField}
        />
        <TextInput
          label="Category"
          description="Separates several runs of one tool. Empty: as in the report."
          value={target.category}
          onChange={(event) => set({ category: event.currentTarget.value })}
          error={fieldError(refusal, 'category')}
        />
      </div>
      <Checkbox
        label="Partial reports"
        description="They close nothing."
        checked={target.partial}
        onChange={(event) => set({ partial: event.currentTarget.checked })}
      />
      <Checkbox
        label="Dry run"
        description="Shows what would change, and changes nothing."
        checked={target.dryRun}
        onChange={(event) => set({ dryRun: event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** Reads the references only of a known repository, since the server would answer 404 for others. */
function useReferences(slug: string, repo: string, known: string[] | undefined) {
  const [debounced] = useDebouncedValue(repo, pauseMs);
  const { data } = useQuery({
    ...referenceNamesQuery(slug, debounced),
    enabled: isKnown(debounced, known),
  });
  return debounced === repo && data ? data : [];
}

function isKnown(repo: string, known: string[] = []): boolean {
  return known.some((name) => name.toLowerCase() === repo.toLowerCase());
}

/** False until the repositories have been read, because the default branch of a known one may have any name. */
function isNew(repo: string, known: string[] | undefined): boolean {
  return known !== undefined && !isKnown(repo, known);
}

/** Returns the target to send. Without a typed reference it is the default branch, which the server knows best. */
export function targetOf(typed: TypedTarget, known: string[] | undefined): UploadTarget {
  return { ...typed, ref: typed.ref ?? (isNew(typed.repo.trim(), known) ? usualBranch : '') };
}
