/** Says whether an IP address is one of the public internet, by the registries of special-purpose addresses of IANA. */
import { BlockList, isIP } from 'node:net';

const specialV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local: metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];
// Ranges that carry an IPv4 address inside are refused whole: no public receiver is known by one.
const specialV6 = [
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0/96', // IPv4-mapped
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48', // NAT64 of a network
  '100::/64', // discard
  '2001::/23', // protocols, such as Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // private
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
];

/** The list of networks such as 10.0.0.0/8. Throws if a text is none. */
export function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

// One list for each family: Node compares an IPv4 address with the mapped IPv6 ranges too, which would refuse all.
const special = { 4: networksOf(specialV4), 6: networksOf(specialV6) };

/** False also for a text that is no address, and for one with a zone, which Node does not compare with the list. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || address.includes('%')) return false;
  return !special[family].check(address, family === 6 ? 'ipv6' : 'ipv4');
}
