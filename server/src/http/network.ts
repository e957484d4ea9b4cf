/** The network of an IP address, for limits of those who have no account. */
import { isIPv6 } from 'node:net';

/**
 * The IP address as limits count it: an IPv4 address, or the /64 network of an IPv6 address, because who has one of its
 * addresses has all of them. Some proxies write the port of the connection after the address.
 */
export function networkOf(text: string): string {
  const address = text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/, '$1$2');
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const all =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  // An IPv4 address in the notation of IPv6 stays as it is.
  return address.includes('.') ? address : all.slice(0, 4).join(':');
}
