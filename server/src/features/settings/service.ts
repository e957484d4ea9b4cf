/** What a workspace's admins may know of how it is set up: their own settings, and those of the server. No secrets. */
import type { Config } from '../../config.ts';
import { type Database, installTx } from '../../db/database.ts';
import { timestamp } from '../../http/schema.ts';
import { formatId } from '../../ids.ts';
import { feedItem } from '../intel/routes.ts';
import { getFeeds } from '../intel/service.ts';
import { newRepositories } from '../repositories/create.ts';
import { getTenantRow } from '../tenants/service.ts';

export async function getSettings(db: Database, config: Config, tenantId: string) {
  const [row, { kev, epss }] = await Promise.all([
    installTx(db, (tx) => getTenantRow(tx, tenantId)),
    getFeeds(db),
  ]);
  return {
    workspace: {
      id: formatId('tenant', row.id),
      slug: row.slug,
      name: row.name,
      new_repositories: row.settings.new_repositories ?? newRepositories[0],
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
    intel: { kev: feedItem(kev), epss: feedItem(epss) },
  };
}
