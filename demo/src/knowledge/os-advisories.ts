/**
 * Advisories of the operating systems' packages in the company's base images, as the distributions state them: package,
 * CVE, severity, fixed version (`-` if the distribution has none), status, title.
 *
 * The version in an image decides whether an advisory applies; the versions are in `company/`.
 */
import { compareVersions } from '@merlon/server/src/domain/versions.ts';
import type { TrivySeverity } from './advisories.ts';
import { optionalCell, readTable } from './table.ts';

export type Distribution = 'debian' | 'alpine';

const purlTypes: Record<Distribution, string> = { debian: 'deb', alpine: 'apk' };

export interface OsAdvisory {
  package: string;
  id: string;
  severity: TrivySeverity;
  fixedVersion: string | null;
  /** Trivy's status: fixed, affected, will_not_fix, fix_deferred. */
  status: string;
  title: string;
}

const debian = `
libssl3 | CVE-2023-5363 | HIGH | 3.0.11-1~deb12u2 | fixed | openssl: incorrect cipher key and IV length processing
libssl3 | CVE-2023-5678 | MEDIUM | 3.0.13-1~deb12u1 | fixed | openssl: generating excessively long X9.42 DH keys may be very slow
libssl3 | CVE-2023-6129 | MEDIUM | 3.0.13-1~deb12u1 | fixed | openssl: POLY1305 MAC implementation corrupts vector registers on PowerPC
libssl3 | CVE-2024-0727 | MEDIUM | 3.0.13-1~deb12u1 | fixed | openssl: denial of service via null dereference
libssl3 | CVE-2024-5535 | CRITICAL | 3.0.15-1~deb12u1 | fixed | openssl: SSL_select_next_proto buffer overread
libssl3 | CVE-2024-6119 | HIGH | 3.0.14-1~deb12u2 | fixed | openssl: possible denial of service in X.509 name checks
libc6 | CVE-2023-4911 | HIGH | 2.36-9+deb12u3 | fixed | glibc: buffer overflow in ld.so leading to privilege escalation
libc6 | CVE-2023-6246 | HIGH | 2.36-9+deb12u4 | fixed | glibc: heap-based buffer overflow in __vsyslog_internal()
libc6 | CVE-2024-2961 | HIGH | 2.36-9+deb12u6 | fixed | glibc: out of bounds write in iconv may lead to remote code execution
libc6 | CVE-2024-33599 | HIGH | 2.36-9+deb12u7 | fixed | glibc: stack-based buffer overflow in netgroup cache
libc6 | CVE-2024-33600 | MEDIUM | 2.36-9+deb12u7 | fixed | glibc: null pointer dereferences after failed netgroup cache insertion
libc6 | CVE-2018-20796 | LOW | - | affected | glibc: uncontrolled recursion in function check_dst_limits_calc_pos_1
libc6 | CVE-2010-4756 | LOW | - | affected | glibc: glob implementation can cause excessive CPU and memory consumption
libcurl4 | CVE-2023-38545 | CRITICAL | 7.88.1-10+deb12u4 | fixed | curl: heap based buffer overflow in the SOCKS5 proxy handshake
libcurl4 | CVE-2023-46218 | MEDIUM | 7.88.1-10+deb12u5 | fixed | curl: information disclosure by exploiting a mixed case flaw
libcurl4 | CVE-2024-2398 | HIGH | 7.88.1-10+deb12u6 | fixed | curl: HTTP/2 push headers memory leak
libcurl4 | CVE-2024-7264 | MEDIUM | 7.88.1-10+deb12u7 | fixed | curl: libcurl: ASN.1 date parser overread
libnghttp2-14 | CVE-2023-44487 | HIGH | 1.52.0-1+deb12u1 | fixed | HTTP/2: multiple HTTP/2 enabled web servers are vulnerable to a DDoS attack (Rapid Reset Attack)
libnghttp2-14 | CVE-2024-28182 | MEDIUM | 1.52.0-1+deb12u2 | fixed | nghttp2: CONTINUATION frames DoS
zlib1g | CVE-2023-45853 | CRITICAL | - | will_not_fix | zlib: integer overflow and resultant heap-based buffer overflow in zipOpenNewFileInZip4_6
libexpat1 | CVE-2024-45490 | CRITICAL | 2.5.0-1+deb12u1 | fixed | libexpat: negative length parsing vulnerability in libexpat
libexpat1 | CVE-2024-45491 | CRITICAL | 2.5.0-1+deb12u1 | fixed | libexpat: integer overflow or wraparound
libgnutls30 | CVE-2023-5981 | MEDIUM | 3.7.9-2+deb12u1 | fixed | gnutls: timing side-channel in the RSA-PSK authentication
libgnutls30 | CVE-2024-0553 | HIGH | 3.7.9-2+deb12u2 | fixed | gnutls: incomplete fix for CVE-2023-5981
libgnutls30 | CVE-2024-28834 | MEDIUM | 3.7.9-2+deb12u3 | fixed | gnutls: vulnerable to Minerva side-channel information leak
libkrb5-3 | CVE-2024-37371 | CRITICAL | 1.20.1-2+deb12u2 | fixed | krb5: GSS message token handling
libkrb5-3 | CVE-2024-37370 | HIGH | 1.20.1-2+deb12u2 | fixed | krb5: GSS message token handling
libkrb5-3 | CVE-2024-26462 | MEDIUM | - | affected | krb5: memory leak at /krb5/src/kdc/ndr.c
libsystemd0 | CVE-2023-50387 | HIGH | 252.23-1~deb12u1 | fixed | bind9: KeyTrap, extreme CPU consumption in DNSSEC validator
libsystemd0 | CVE-2013-4392 | LOW | - | affected | systemd: TOCTOU race condition when updating file permissions and SELinux security contexts
perl-base | CVE-2023-47038 | HIGH | 5.36.0-7+deb12u1 | fixed | perl: write past buffer end via illegal user-defined Unicode property
perl-base | CVE-2023-31484 | HIGH | - | affected | perl: CPAN.pm does not verify TLS certificates when downloading distributions over HTTPS
libwebp7 | CVE-2023-4863 | HIGH | 1.2.4-0.2+deb12u1 | fixed | libwebp: heap buffer overflow in WebP codec
libsqlite3-0 | CVE-2023-7104 | HIGH | 3.40.1-2+deb12u1 | fixed | sqlite: heap-buffer-overflow at sessionfuzz
git | CVE-2024-32002 | CRITICAL | 1:2.39.5-0+deb12u1 | fixed | git: recursive clones RCE
git | CVE-2024-32004 | HIGH | 1:2.39.5-0+deb12u1 | fixed | git: arbitrary code execution while cloning special-crafted local repositories
openssh-client | CVE-2023-38408 | CRITICAL | 1:9.2p1-2+deb12u1 | fixed | openssh: remote code execution in ssh-agent PKCS#11 support
openssh-client | CVE-2023-48795 | MEDIUM | 1:9.2p1-2+deb12u2 | fixed | ssh: prefix truncation attack on Binary Packet Protocol (BPP)
openssh-client | CVE-2024-6387 | HIGH | 1:9.2p1-2+deb12u3 | fixed | openssh: regreSSHion, race condition in SSH allows RCE/DoS
libldap-2.5-0 | CVE-2023-2953 | HIGH | - | affected | openldap: null pointer dereference in ber_memalloc_x function
libgcrypt20 | CVE-2024-2236 | MEDIUM | - | affected | libgcrypt: vulnerable to Marvin attack
coreutils | CVE-2016-2781 | LOW | - | will_not_fix | coreutils: non-privileged session can escape to the parent session in chroot
tar | CVE-2005-2541 | LOW | - | affected | tar: does not properly warn the user when extracting setuid or setgid files
apt | CVE-2011-3374 | UNKNOWN | - | affected | apt: apt-key does not correctly validate GPG keys with the master keyring
`;

const alpine = `
libcrypto3 | CVE-2023-2975 | MEDIUM | 3.1.1-r2 | fixed | openssl: AES-SIV cipher implementation contains a bug that causes it to ignore empty associated data entries
libcrypto3 | CVE-2023-3446 | MEDIUM | 3.1.1-r3 | fixed | openssl: excessive time spent checking DH keys and parameters
libcrypto3 | CVE-2023-5363 | HIGH | 3.1.4-r0 | fixed | openssl: incorrect cipher key and IV length processing
libcrypto3 | CVE-2023-6129 | MEDIUM | 3.1.4-r3 | fixed | openssl: POLY1305 MAC implementation corrupts vector registers on PowerPC
libcrypto3 | CVE-2024-0727 | MEDIUM | 3.1.4-r5 | fixed | openssl: denial of service via null dereference
libcrypto3 | CVE-2024-4603 | MEDIUM | 3.1.5-r0 | fixed | openssl: excessive time spent checking DSA keys and parameters
libcrypto3 | CVE-2024-6119 | HIGH | 3.1.7-r0 | fixed | openssl: possible denial of service in X.509 name checks
busybox | CVE-2022-48174 | CRITICAL | 1.36.1-r1 | fixed | busybox: stack overflow vulnerability in ash.c leads to arbitrary code execution
busybox | CVE-2023-42366 | MEDIUM | 1.36.1-r6 | fixed | busybox: a heap-buffer-overflow
busybox | CVE-2023-42363 | MEDIUM | 1.36.1-r7 | fixed | busybox: use-after-free in awk
libcurl | CVE-2023-38039 | HIGH | 8.3.0-r0 | fixed | curl: out of heap memory issue due to missing limit on header quantity
libcurl | CVE-2023-38545 | CRITICAL | 8.4.0-r0 | fixed | curl: heap based buffer overflow in the SOCKS5 proxy handshake
libcurl | CVE-2023-46218 | MEDIUM | 8.5.0-r0 | fixed | curl: information disclosure by exploiting a mixed case flaw
nghttp2-libs | CVE-2023-44487 | HIGH | 1.57.0-r0 | fixed | HTTP/2: multiple HTTP/2 enabled web servers are vulnerable to a DDoS attack (Rapid Reset Attack)
libexpat | CVE-2023-52425 | HIGH | 2.6.0-r0 | fixed | expat: parsing large tokens can trigger a denial of service
libexpat | CVE-2024-28757 | HIGH | 2.6.2-r0 | fixed | expat: XML entity expansion
libexpat | CVE-2024-45490 | CRITICAL | 2.6.3-r0 | fixed | libexpat: negative length parsing vulnerability in libexpat
`;

const columns = ['package', 'id', 'severity', 'fixedVersion', 'status', 'title'] as const;

const byDistribution: Record<Distribution, Map<string, OsAdvisory[]>> = {
  debian: read(debian),
  alpine: read(alpine),
};

/** Returns the advisories for one installed version of a distribution's package. */
export function findOsAdvisories(distribution: Distribution, name: string, version: string): OsAdvisory[] {
  const rows = byDistribution[distribution].get(name) ?? [];
  return rows.filter(
    (row) =>
      row.fixedVersion === null || compareVersions(purlTypes[distribution], version, row.fixedVersion) < 0,
  );
}

function read(table: string): Map<string, OsAdvisory[]> {
  const rows = readTable(columns, table).map(
    (row): OsAdvisory => ({
      ...row,
      severity: row.severity as TrivySeverity,
      fixedVersion: optionalCell(row.fixedVersion),
    }),
  );
  return Map.groupBy(rows, (row) => row.package);
}
