/** The settings that admins of a workspace may see: their own and those of the server, without secrets. */

import { getTenantRow } from '../../access/workspaces/service.ts';
import { feedItems } from '../../actions/intel/routes.ts';
import { getFeeds } from '../../actions/intel/service.ts';
import type { Config } from '../../config.ts';
import { type Database, installTx } from '../../db/database.ts';
import type { Forge } from '../../domain/forge.ts';
import { formatTenantId, type TenantId } from '../../domain/ids.ts';
import { timestamp } from '../../http/schema.ts';
import { ownerAssignment } from '../../ingest/import/ownership.ts';
import { advisoryMatching } from '../../ingest/matching/setting.ts';
import { newRepositories } from '../../inventory/repositories/create.ts';

export async function listForges(db: Database, tenantId: TenantId): Promise<Forge[]> {
  const { settings } = await installTx(db, (tx) => getTenantRow(tx, tenantId));
  return settings.forges ?? [];
}

export async function getSettings(db: Database, config: Config, tenantId: TenantId) {
  const [row, feeds] = await Promise.all([installTx(db, (tx) => getTenantRow(tx, tenantId)), getFeeds(db)]);
  return {
    workspace: {
      id: formatTenantId(row.id),
      slug: row.slug,
      name: row.name,
      new_repositories: row.settings.new_repositories ?? newRepositories[0],
      tracked_branches: row.tracked_branches,
      forges: row.settings.forges ?? [],
      advisory_matching: row.settings.advisory_matching ?? advisoryMatching[0],
      exposed_environments: row.settings.exposed_environments ?? [],
      assign_owners: row.settings.assign_owners ?? ownerAssignment[0],
      created_at: timestamp(row.created_at),
    },
    retention: { keep_reports_days: config.keepReportsDays, active_days: config.activeDays },
    limits: {
      requests_per_minute: config.rateLimitPerMinute,
      uploads_per_minute: config.uploadsPerMinute,
      max_upload_mb: config.maxUploadMb,
      max_inflated_mb: config.maxInflatedMb,
      max_findings: config.maxFindings,
    },
    oidc: config.oidc && {
      name: config.oidc.name,
      issuer: config.oidc.issuer,
      client_id: config.oidc.clientId,
    },
    intel: feedItems(feeds),
  };
}
