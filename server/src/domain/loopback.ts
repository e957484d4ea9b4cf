/** `host` is the value of a Host header, with or without a port, or an address that a server listens on. */
export function isLoopback(host: string): boolean {
  const isBareIpv6 = /:.*:/.test(host) && !host.startsWith('[');
  const name = URL.parse(`http://${isBareIpv6 ? `[${host}]` : host}`)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(name);
}
