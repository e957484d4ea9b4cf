/** The fields of an issue tracker that an admin sets. */
import { type Static, Type } from 'typebox';
import { severities } from '../../domain/packed-state.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { closedObject, namedObject, nullableString, oneOf } from '../../http/schema.ts';
import { filterIds } from '../filter-scope.ts';
import { trackerKinds } from './tracker-client.ts';

export const maxTrackerUrl = 255;
const maxLabels = 10;
const maxToken = 1_000;

export const TrackerKindName = oneOf(trackerKinds);
const optionalName = (description: string) => nullableString(description, { maxLength: maxNameLength });

/** Those that an answer shows too. */
export const shownTrackerFields = {
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  url: Type.String({
    minLength: 1,
    maxLength: maxTrackerUrl,
    description: 'Address of its pages; by default https://github.com or https://gitlab.com.',
  }),
  project: Type.String({
    minLength: 1,
    maxLength: maxNameLength,
    description: '`owner/name` at GitHub, `group/name` at GitLab, the key of the project at Jira.',
  }),
  user: optionalName('Jira Cloud: e-mail address of the token’s user. Null: Jira Data Center, or no Jira.'),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: maxLabels,
    description: 'Labels of new issues, besides `merlon`.',
  }),
  issue_type: optionalName('Jira: the type of new issues; by default Task.'),
  closed_status: optionalName('Jira: the status of a closed issue; null: the first of the category "done".'),
  open_status: optionalName('Jira: the status of an issue that is open again; null: the first that is open.'),
  allows_public: Type.Boolean({ description: 'True: issues may be made where everybody can read them.' }),
  enabled: Type.Boolean({ description: 'While it is false, nothing is written and nothing read.' }),
};

export const ruleFields = {
  least_severity: oneOf(severities),
  blocking_only: Type.Boolean({ description: 'Only what violates a policy that blocks.' }),
};

const RuleInput = namedObject(
  'IssueRuleInput',
  Type.Partial(
    Type.Object({
      ...ruleFields,
      repositories: filterIds('Ids, repo_…; with no application either: all.'),
      applications: filterIds('Ids, app_….'),
    }),
  ).properties,
  { additionalProperties: false },
);
/** The rule that makes issues by itself. Repositories and applications are ids of the API. */
export type TrackerRule = Required<Static<typeof RuleInput>>;

const trackerFields = {
  ...shownTrackerFields,
  token: Type.String({ minLength: 1, maxLength: maxToken, description: 'It is not shown again.' }),
  rule: Type.Union([RuleInput, Type.Null()], {
    description: 'Makes issues by itself; null: people make them.',
  }),
};
export const NewTracker = closedObject({
  kind: TrackerKindName,
  ...Type.Partial(Type.Object(trackerFields)).properties,
  name: trackerFields.name,
  project: trackerFields.project,
  token: trackerFields.token,
});
export type TrackerInput = Static<typeof NewTracker>;

export const TrackerChange = Type.Partial(Type.Object(trackerFields), { additionalProperties: false });
export type TrackerChange = Static<typeof TrackerChange>;
