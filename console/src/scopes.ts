/** The scopes in which a vulnerability counts as open, for the list and the overview, with their labels. */
export const scopes = ['tracked', 'default_branches', 'all'] as const;
export type Scope = (typeof scopes)[number];

export const scopeLabels: Record<Scope, string> = {
  tracked: 'Tracked references',
  default_branches: 'Default branches',
  all: 'Everywhere',
};
