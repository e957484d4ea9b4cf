/** The location of a finding on a host that was scanned through the network. It must never resolve a name. */
import { webLocation } from './web-locations.ts';

/**
 * Returns `shed.example:443`, `[2001:db8::7]:80`, or the host alone for a finding about the whole host, in small
 * letters, because capital ones name the same host.
 */
export function hostLocation(written: string, port: number | null): string | null {
  const host = written.toLowerCase();
  if (port === null || port === 0) return webLocation(host);
  return webLocation(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
}
