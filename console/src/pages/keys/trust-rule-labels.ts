/** Names for people of the CI providers, and of the ids by which a rule knows the owner of a repository. */
import type { CiProvider } from '../../api/trust-rules.ts';

export const providerLabels: Record<CiProvider, string> = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
};

interface IdLabel {
  claim: string;
  label: string;
  /** Says where a person finds the id. */
  hint: string;
}

export const idLabels: Record<CiProvider, readonly [IdLabel, ...IdLabel[]]> = {
  github: [
    {
      claim: 'repository_owner_id',
      label: 'All repositories of an organization',
      hint: 'The id of the organization: gh api users/ORGANIZATION --jq .id',
    },
    {
      claim: 'repository_id',
      label: 'One repository',
      hint: 'The id of the repository: gh api repos/OWNER/NAME --jq .id',
    },
  ],
  gitlab: [
    {
      claim: 'namespace_id',
      label: 'All projects of a group',
      hint: 'The id of the group that holds the projects, shown on its page',
    },
    { claim: 'project_id', label: 'One project', hint: 'The id of the project, shown on its page' },
  ],
};
