/** Enumerations of organizations, as they are stored. */

export const organizationTypes = [
  'local',
  'github_org',
  'gitlab_group',
  'bitbucket_workspace',
  'azure_project',
] as const;
export type OrganizationType = (typeof organizationTypes)[number];
