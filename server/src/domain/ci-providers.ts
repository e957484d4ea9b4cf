/**
 * CI providers whose runs show who they are by a signed token (OpenID Connect), and the claims of their tokens.
 * Sources: GitHub "OpenID Connect reference" and GitLab "OpenID Connect (OIDC) authentication using ID tokens".
 */
import { isPlainName } from './plain-name.ts';
import type { RepositorySource } from './repository-enums.ts';
import { isRepositoryName } from './repository-name.ts';

export const ciProviders = ['github', 'gitlab'] as const;
export type CiProvider = (typeof ciProviders)[number];

/** The claims of a token, after its signature was checked. */
export type CiClaims = Readonly<Record<string, unknown>>;

/** One run of CI, as the claims of its token describe it. */
export interface CiRun {
  /** The path of the repository at the provider: org/name. */
  fullName: string;
  source: RepositorySource;
  /** The id that the provider gives the repository, which no other repository ever gets. */
  externalId: string;
  organizationExternalId: string | null;
  isPrivate: boolean | null;
  /** The reference about which the run may report. */
  reference: BoundReference;
  /** The number of the run, for people. */
  runId: string | null;
}

/** The full name of a reference, or all pull requests of the repository. */
export type BoundReference = `refs/${string}` | 'pull_requests';

interface ProviderClaims {
  label: string;
  /** Claims with an id that the provider never gives to another owner or repository. A name can be taken over. */
  ids: readonly string[];
  /** Further claims that a rule may require. */
  others: readonly string[];
  runOf(claims: CiClaims, issuer: string): CiRun | undefined;
}

export const githubIssuer = 'https://token.actions.githubusercontent.com';
export const gitlabIssuer = 'https://gitlab.com';

const providers: Record<CiProvider, ProviderClaims> = {
  github: {
    label: 'GitHub Actions',
    ids: ['repository_id', 'repository_owner_id'],
    others: [
      'environment',
      'event_name',
      'job_workflow_ref',
      'ref',
      'ref_type',
      'repository',
      'repository_owner',
      'repository_visibility',
      'runner_environment',
      'sub',
      'workflow',
      'workflow_ref',
    ],
    runOf: (claims, issuer) => {
      const reference = githubReference(claims);
      return runOf(claims, reference, {
        name: 'repository',
        id: 'repository_id',
        owner: 'repository_owner_id',
        visibility: 'repository_visibility',
        run: 'run_id',
        source: sourceOfIssuer('github', issuer),
      });
    },
  },
  gitlab: {
    label: 'GitLab CI',
    ids: ['project_id', 'namespace_id'],
    others: [
      'ci_config_ref_uri',
      'environment',
      'environment_protected',
      'namespace_path',
      'pipeline_source',
      'project_path',
      'project_visibility',
      'ref',
      'ref_path',
      'ref_protected',
      'ref_type',
      'runner_environment',
      'sub',
    ],
    runOf: (claims) =>
      runOf(claims, gitlabReference(claims), {
        name: 'project_path',
        id: 'project_id',
        owner: 'namespace_id',
        visibility: 'project_visibility',
        run: 'pipeline_id',
        source: 'gitlab',
      }),
  },
};

export function ciProviderLabel(provider: CiProvider): string {
  return providers[provider].label;
}

/** The claims of which a rule must require one, at least. */
export function idClaims(provider: CiProvider): readonly string[] {
  return providers[provider].ids;
}

/** All claims that a rule may require. */
export function knownClaims(provider: CiProvider): readonly string[] {
  return [...providers[provider].ids, ...providers[provider].others];
}

/** The VCS of the repositories that the tokens of an issuer name. */
export function sourceOfIssuer(provider: CiProvider, issuer: string): RepositorySource {
  if (provider === 'gitlab') return 'gitlab';
  return isOfGithubCom(issuer) ? 'ghc' : 'ghe';
}

/** Gives undefined if a claim is missing that every run of the provider has. */
export function ciRunOf(provider: CiProvider, claims: CiClaims, issuer: string): CiRun | undefined {
  return providers[provider].runOf(claims, issuer);
}

/** The first required claim that the token does not have with this value; undefined if it has all of them. */
export function findMismatch(
  required: Readonly<Record<string, string>>,
  claims: CiClaims,
): { claim: string; required: string; actual: string | null } | undefined {
  for (const [claim, value] of Object.entries(required)) {
    const actual = textOf(claims[claim]);
    if (actual !== value) return { claim, required: value, actual };
  }
  return undefined;
}

/** True if the token has an id that the rule requires. Strangers cannot get such a token, whatever else they choose. */
export function hasOwnId(
  provider: CiProvider,
  required: Readonly<Record<string, string>>,
  claims: CiClaims,
): boolean {
  return providers[provider].ids.some(
    (id) => required[id] !== undefined && textOf(claims[id]) === required[id],
  );
}

/** True if a run that is bound to `bound` may report about the reference. */
export function coversReference(bound: string, reference: { fullRef: string; type: string }): boolean {
  return bound === 'pull_requests' ? reference.type === 'pull_request' : bound === reference.fullRef;
}

interface ClaimNames {
  name: string;
  id: string;
  owner: string;
  visibility: string;
  run: string;
  source: RepositorySource;
}

function runOf(
  claims: CiClaims,
  reference: BoundReference | undefined,
  names: ClaimNames,
): CiRun | undefined {
  const fullName = textOf(claims[names.name]);
  const externalId = textOf(claims[names.id]);
  const visibility = textOf(claims[names.visibility]);
  if (fullName === null || externalId === null || reference === undefined) return undefined;
  // Names become visible in the inventory, so they meet the rules of an upload.
  if (!isRepositoryName(fullName) || ![fullName, externalId].every(isPlainName)) return undefined;
  return {
    fullName,
    source: names.source,
    externalId,
    organizationExternalId: textOf(claims[names.owner]),
    isPrivate: visibility === null ? null : visibility !== 'public',
    reference,
    runId: textOf(claims[names.run]),
  };
}

// An enterprise of github.com may have its tokens issued under its own name, as a path below the common issuer.
function isOfGithubCom(issuer: string): boolean {
  return issuer === githubIssuer || issuer.startsWith(`${githubIssuer}/`);
}

// The run of another event, such as `workflow_run` or `issue_comment`, has the workflow and the reference of the
// default branch too, but may work on the code or the files of any pull request. So its token proves nothing about a
// branch.
const eventsOfBranches = [
  'push',
  'schedule',
  'workflow_dispatch',
  'merge_group',
  'release',
  'create',
  'pull_request',
];

// The token of a pull request names the merge that GitHub makes for the run; the report is about the head. Once it is
// merged, the token names its base.
function githubReference(claims: CiClaims): BoundReference | undefined {
  const ref = textOf(claims.ref);
  const number = /^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(ref ?? '')?.[1];
  if (number !== undefined) return `refs/pull/${number}/head`;
  if (ref === null) return undefined;
  return eventsOfBranches.includes(textOf(claims.event_name) ?? '') ? fullRefOf(ref) : 'pull_requests';
}

// The token of a merge request names its source branch, not its number. So does the token of a child pipeline of a
// merge request, which does not say that it is one. A fork may call its branch main too, but only a branch of the
// project itself is protected.
function gitlabReference(claims: CiClaims): BoundReference | undefined {
  const source = textOf(claims.pipeline_source);
  const reference = fullRefOf(textOf(claims.ref_path));
  const isUnsure =
    source === 'parent_pipeline' &&
    textOf(claims.ref_protected) !== 'true' &&
    reference?.startsWith('refs/heads/');
  return source === 'merge_request_event' || isUnsure ? 'pull_requests' : reference;
}

function fullRefOf(ref: string | null): BoundReference | undefined {
  return ref !== null && /^refs\/(?:heads|tags)\/./.test(ref) ? (ref as BoundReference) : undefined;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
