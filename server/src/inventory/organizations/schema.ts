/** Organizations as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { organizationTypes } from '../../domain/organization-enums.ts';
import {
  extendedObject,
  NullableString,
  namedObject,
  OrganizationBrief,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { OrganizationDetailRow, OrganizationRow, ParentRow } from './store.ts';

export const OrganizationItem = namedObject('Organization', {
  id: Type.String(),
  name: Type.String(),
  full_path: Type.String(),
  type: Type.String({ description: organizationTypes.join(', ') }),
  external_id: Type.String(),
  orphaned: Type.Boolean(),
  repositories_count: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const Parent = Type.Union([OrganizationBrief, Type.Null()]);

export const OrganizationDetail = extendedObject('OrganizationDetail', OrganizationItem, {
  description: NullableString,
  parent: Parent,
});

export const OrganizationParent = namedObject('OrganizationParent', { id: Type.String(), parent: Parent });

export function organizationItem(row: OrganizationRow) {
  return {
    id: formatId('organization', row.id),
    name: row.name,
    full_path: row.full_path,
    type: row.type,
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
    parent: parentOf(row),
  };
}

export function organizationParent(row: ParentRow) {
  return { id: formatId('organization', row.id), parent: parentOf(row) };
}

function parentOf({ parent_id, parent_name, parent_full_path }: ParentRow) {
  if (parent_id === null) return null;
  return {
    id: formatId('organization', parent_id),
    name: parent_name ?? '',
    full_path: parent_full_path ?? '',
  };
}
