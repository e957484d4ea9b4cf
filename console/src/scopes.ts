/** Where a vulnerability counts as open: the choices of the list and of the overview, and their names. */
export const scopes = ['tracked', 'default_branches', 'all'] as const;
export type Scope = (typeof scopes)[number];

export const scopeLabels: Record<Scope, string> = {
  tracked: 'Tracked references',
  default_branches: 'Default branches',
  all: 'Everywhere',
};
