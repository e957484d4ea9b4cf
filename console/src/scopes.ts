/** The scopes in which a vulnerability counts as open, for the list and the overview, with their labels. */
import { queryValues } from '@merlon/client';

export const scopes = queryValues.getOverview.scope;
export type Scope = (typeof scopes)[number];

export const scopeLabels: Record<Scope, string> = {
  tracked: 'Tracked references',
  default_branches: 'Default branches',
  all: 'Everywhere',
};
