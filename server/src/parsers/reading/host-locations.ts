/** The location of a finding on a host that was scanned through the network. It must never resolve a name. */
import { webLocation } from './web-locations.ts';

/** Returns `shed.example:443`, `[2001:db8::7]:80`, or the host alone for a finding about the whole host. */
export function hostLocation(host: string, port: number | null): string | null {
  if (port === null || port === 0) return webLocation(host);
  return webLocation(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
}
