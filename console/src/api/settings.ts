/** How a workspace and the server are set up. Needs the role admin. */
import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';

export interface Feed {
  version: string;
  published_at: string;
  imported_at: string;
  entries: number;
}

export interface Settings {
  workspace: { id: string; slug: string; name: string; new_repositories: string; created_at: string };
  retention: { keep_reports_days: number; active_days: number };
  limits: {
    /** 0: as many as come. */
    requests_per_minute: number;
    uploads_per_minute: number;
    max_upload_mb: number;
    max_inflated_mb: number;
    max_findings: number;
  };
  oidc: { name: string; issuer: string; client_id: string } | null;
  intel: { kev: Feed | null; epss: Feed | null };
}

export function settingsKey(slug: string): string[] {
  return ['settings', slug];
}

export function settingsQuery(slug: string) {
  return queryOptions({
    queryKey: settingsKey(slug),
    queryFn: ({ signal }) => call<Settings>('GET', `/manage/v1/${slug}/settings`, { signal }),
  });
}

export function renameWorkspace(slug: string, name: string): Promise<Settings> {
  return call('PATCH', `/manage/v1/${slug}/settings`, { body: { name } });
}
