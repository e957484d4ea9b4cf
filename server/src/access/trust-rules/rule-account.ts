/** The service accounts as which the keys of trust rules act. The address names the workspace, so that they end with it. */
import { formatId, type TenantId } from '../../domain/ids.ts';

export function ruleAccountEmail(tenantId: TenantId, ruleId: string): string {
  return formatId('trustRule', ruleId) + ruleAccountSuffix(tenantId);
}

/** The end of the addresses of all of them in a workspace, also of rules that are deleted. */
export function ruleAccountSuffix(tenantId: TenantId): string {
  return `@${formatId('tenant', tenantId)}.service.invalid`;
}
