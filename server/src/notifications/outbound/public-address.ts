/** Says whether an IP address is one of the public internet, by the registries of special-purpose addresses of IANA. */
import { BlockList, isIP } from 'node:net';

const specialV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // public, but inside of Azure the host of the virtual machine
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
// Public addresses are those of 2000::/3, and some in it are special. Anything else is not given to anybody, so a
// network that uses it is a private one. Ranges that carry an IPv4 address inside are refused whole: no public receiver
// has one.
const specialV6 = [
  '::/3', // unspecified, loopback, IPv4 inside of IPv6, NAT64, discard
  '2001::/23', // protocols, such as Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '4000::/2', // not assigned, segment routing
  '8000::/1', // not assigned, private, link-local, site-local, multicast
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
