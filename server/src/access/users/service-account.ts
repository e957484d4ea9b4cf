/** The service accounts as which keys of a workspace act. The address names the workspace, so that they end with it. */
import { formatId, formatTenantId, type KeyId, type TenantId, type TrustRuleId } from '../../domain/ids.ts';

const domainEnd = '.service.invalid';

/** `owner` is the key, or the trust rule that gives its keys to runs of CI. */
export function serviceAccountEmail(
  tenantId: TenantId,
  owner: 'key' | 'trustRule',
  id: KeyId | TrustRuleId,
): string {
  return formatId(owner, id) + serviceAccountSuffix(tenantId);
}

/**
 * The end of the addresses of all of them in a workspace, also of keys and rules that are deleted or in another
 * install.
 */
export function serviceAccountSuffix(tenantId: TenantId): string {
  return `@${formatTenantId(tenantId)}${domainEnd}`;
}

/** True for an address that only a service account may have; no mail ever reaches it (RFC 2606). */
export function isServiceAddress(email: string): boolean {
  return email.endsWith(domainEnd);
}
