/** A check of an install: its subject, its result, and the advice. */
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { daySeconds, hourSeconds } from '../../domain/time.ts';

export type CheckResult =
  | { result: 'ok' | 'skipped'; found: string }
  /** A warning needs attention soon. A fault means that something is broken now, or that protection is missing. */
  | { result: 'warning' | 'fault'; found: string; action: string };

export interface CheckedInstall {
  config: Config;
  /** The database under the running role. */
  db: Database;
  appUrl: string;
  /** Null without MERLON_DATABASE_OWNER_URL. */
  ownerUrl: string | null;
  /** Throws an Error that says what to do. */
  loadSecret(): Promise<InstallSecret>;
  /** The clock of this node. */
  now(): Date;
}

export interface Check {
  name: string;
  /** Needs the schema of this version. */
  needsSchema: boolean;
  run(install: CheckedInstall): Promise<CheckResult>;
}

export const ok = (found: string): CheckResult => ({ result: 'ok', found });
export const skipped = (found: string): CheckResult => ({ result: 'skipped', found });
export const warning = (found: string, action: string): CheckResult => ({
  result: 'warning',
  found,
  action,
});
export const fault = (found: string, action: string): CheckResult => ({ result: 'fault', found, action });

/** A span of time for people. */
export function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 2 * daySeconds) return `${Math.round(seconds / hourSeconds)} hours`;
  return `${Math.round(seconds / daySeconds)} days`;
}
