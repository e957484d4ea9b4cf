/** Applications as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import {
  extendedObject,
  NullablePerson,
  NullableString,
  namedObject,
  personOf,
  RepositoryBrief,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { FullApplication } from './service.ts';
import type { ApplicationRow } from './store.ts';

export const ApplicationItem = namedObject('Application', {
  id: Type.String(),
  name: Type.String(),
  description: NullableString,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const ApplicationDetail = extendedObject('ApplicationDetail', ApplicationItem, {
  owner: NullablePerson,
  is_product: Type.Boolean({
    description:
      'It is a product that the company makes available in the European Union, so the duties of the Cyber Resilience Act are tracked for it.',
  }),
  repositories: Type.Array(RepositoryBrief, {
    description: 'By name.',
  }),
});

export const ApplicationCounts = namedObject('ApplicationCounts', {
  id: Type.String(),
  repositories: Type.Integer({ description: 'Number of repositories that it groups.' }),
  owner: NullablePerson,
});

export function applicationItem(row: ApplicationRow) {
  return {
    id: formatId('application', row.id),
    name: row.name,
    description: row.description,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

export function applicationDetail({ application, repositories }: FullApplication) {
  return {
    ...applicationItem(application),
    owner: personOf(application.owner),
    is_product: application.is_product,
    repositories: repositories.map(({ id, full_name }) => ({ id: formatId('repository', id), full_name })),
  };
}
