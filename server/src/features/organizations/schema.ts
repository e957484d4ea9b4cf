/** Organizations as the API shows them. */
import { Type } from 'typebox';
import { NullableString, Timestamp, timestamp } from '../../http/schema.ts';
import { formatId } from '../../ids.ts';
import type { OrganizationDetailRow, OrganizationRow } from './store.ts';
import { organizationTypes } from './types.ts';

const itemFields = {
  id: Type.String(),
  name: Type.String(),
  full_path: Type.String(),
  type: Type.String({ description: organizationTypes.join(', ') }),
  external_id: Type.String(),
  orphaned: Type.Boolean(),
  repositories_count: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const OrganizationItem = Type.Object(itemFields);

export const OrganizationDetail = Type.Object({
  ...itemFields,
  description: NullableString,
  parent: Type.Union([
    Type.Object({ id: Type.String(), name: Type.String(), full_path: Type.String() }),
    Type.Null(),
  ]),
});

export function organizationItem(row: OrganizationRow) {
  return {
    id: formatId('organization', row.id),
    name: row.name,
    full_path: row.full_path,
    type: organizationTypes[row.type] ?? 'local',
    external_id: row.external_id,
    orphaned: row.orphaned,
    repositories_count: row.repositories_count,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

export function organizationDetail(row: OrganizationDetailRow) {
  return {
    ...organizationItem(row),
    description: row.description,
    parent:
      row.parent_id === null
        ? null
        : {
            id: formatId('organization', row.parent_id),
            name: row.parent_name ?? '',
            full_path: row.parent_full_path ?? '',
          },
  };
}
