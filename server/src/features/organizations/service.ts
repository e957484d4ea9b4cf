/** Organizations: how a caller names one. */
import { parseId } from '../../ids.ts';
import type { OrganizationRef } from './store.ts';

/** `org_…` or a full path, without case. */
export function organizationRef(text: string): OrganizationRef {
  const id = parseId('organization', text);
  return id === undefined ? { pathKey: text.toLowerCase() } : { id };
}
