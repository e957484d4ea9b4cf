/** Labels that tell keys apart without their values. */
import type { ApiKey, KeyKind } from '../../api/keys.ts';
import { dayMs } from '../../components/time-lengths.ts';

const prefixes: Record<KeyKind, string> = { personal: 'mrl_pat_', workspace: 'mrl_wsk_' };

/** Returns the beginning and the end of the key's value. */
export function maskedValue({ kind, last_four }: ApiKey): string {
  return `${prefixes[kind]}…${last_four}`;
}

export function workspacesText({ workspaces }: ApiKey): string {
  if (workspaces === null) return 'All your workspaces';
  return workspaces.length === 0 ? 'None' : workspaces.join(', ');
}

// A week gives people enough time to replace a key.
const soonMs = 7 * dayMs;

export function expiresSoon({ status, expires_at }: ApiKey, now: number): boolean {
  return status === 'Active' && expires_at !== null && Date.parse(expires_at) - now < soonMs;
}
