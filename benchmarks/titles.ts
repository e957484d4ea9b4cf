/**
 * A pool of titles like those of scanners, with type, severity, tool, rule and package. A hash of the number chooses
 * the parts, so the same number always gives the same title.
 */
import type { Severity, VulnerabilityType } from '../server/src/domain/packed-state.ts';

/** The tools of the pool. `PoolTitle.tool` is an index of this list. */
export const tools = ['trivy', 'semgrep', 'gitleaks'] as const;

export interface PoolTitle {
  title: string;
  type: VulnerabilityType;
  severity: Severity;
  tool: number;
  rule: string;
  advisory: string | null;
  package: string | null;
  fixVersion: string | null;
}

const weaknesses = [
  'prototype pollution through a crafted object',
  'denial of service by a regular expression',
  'path traversal when an archive is unpacked',
  'server-side request forgery by a redirect',
  'deserialization of untrusted data',
  'heap buffer overflow while parsing',
  'use after free in the decoder',
  'integer overflow in the length check',
  'improper certificate validation',
  'cross-site scripting in rendered markup',
  'command injection by a file name',
  'uncontrolled resource consumption',
  'request smuggling by a chunked body',
  'information exposure in error messages',
  'XML external entity expansion',
  'authorization bypass on nested routes',
];
const packageStems = [
  'axios',
  'lodash',
  'express',
  'jackson',
  'netty',
  'spring',
  'log4j',
  'django',
  'flask',
  'requests',
  'urllib3',
  'pillow',
  'openssl',
  'curl',
  'glibc',
  'zlib',
  'libxml2',
  'sqlite',
  'protobuf',
  'grpc',
  'golang-net',
  'minimatch',
  'undici',
  'webpack',
];
const packageSuffixes = [
  '',
  '-core',
  '-utils',
  '-parser',
  '-client',
  '-server',
  '-stream',
  '-http',
  '-beans',
];
const codeRules = [
  'SQL statement built from user input',
  'Shell command built from user input',
  'Weak hash function for a password',
  'Response written without escaping',
  'Cookie set without the secure attribute',
  'File opened by a name from the request',
  'Random number generator that can be predicted',
  'Redirect to an address from the request',
];
const codePlaces = ['in a controller', 'in a handler', 'in a template', 'in a job', 'in a migration'];
const secretKinds = ['access key', 'API token', 'private key', 'webhook secret', 'database password'];
const secretOwners = ['AWS', 'GitHub', 'Slack', 'Stripe', 'Google', 'Azure', 'PostgreSQL', 'Twilio'];
const checks = [
  'bucket allows public reads',
  'container runs as root',
  'security group is open to the world',
  'storage is not encrypted',
  'log retention is not set',
  'image tag is not pinned',
];
const resources = [
  'aws_s3_bucket',
  'kubernetes Deployment',
  'Dockerfile',
  'google_sql_database',
  'helm chart',
];

// The cumulative percentages of the types, as in a company with all kinds of scanners.
const shares: { upTo: number; type: VulnerabilityType }[] = [
  { upTo: 45, type: 'dependency' },
  { upTo: 75, type: 'container' },
  { upTo: 88, type: 'sast' },
  { upTo: 97, type: 'iac' },
  { upTo: 100, type: 'secret' },
];

/** Returns the first `count` titles of the pool. */
export function poolTitles(count: number): PoolTitle[] {
  return Array.from({ length: count }, (_, number) => poolTitle(number));
}

function poolTitle(number: number): PoolTitle {
  const share = scatter(number, 1) % 100;
  const type = shares.find((candidate) => share < candidate.upTo)?.type ?? 'dependency';
  const pick = <T>(list: readonly T[], salt: number): T => list[scatter(number, salt) % list.length] as T;
  switch (type) {
    case 'sast': {
      const rule = pick(codeRules, 2);
      return {
        ...bare,
        title: `${rule} ${pick(codePlaces, 3)} (check ${number})`,
        type,
        severity: pick(['low', 'medium', 'medium', 'high'], 4),
        tool: 1,
        rule: `code.${number}`,
      };
    }
    case 'secret':
      return {
        ...bare,
        title: `${pick(secretOwners, 2)} ${pick(secretKinds, 3)} in the source, rule ${number}`,
        type,
        severity: pick(['high', 'critical'], 4),
        tool: 2,
        rule: `secret.${number}`,
      };
    case 'iac':
      return {
        ...bare,
        title: `${pick(resources, 2)}: ${pick(checks, 3)} (AVD-${number})`,
        type,
        severity: pick(['low', 'medium', 'high'], 4),
        tool: 0,
        rule: `AVD-${number}`,
      };
    default: {
      const name = `${pick(packageStems, 2)}${pick(packageSuffixes, 3)}`;
      const advisory = `CVE-${2015 + (scatter(number, 5) % 11)}-${10_000 + number}`;
      return {
        title: `${name}: ${pick(weaknesses, 6)} (${advisory})`,
        type,
        severity: pick(
          ['unknown', 'low', 'low', 'medium', 'medium', 'medium', 'high', 'high', 'critical'],
          4,
        ),
        tool: 0,
        rule: advisory,
        advisory,
        package: name,
        // A fifth has no fix yet.
        fixVersion: scatter(number, 7) % 5 === 0 ? null : `${1 + (number % 9)}.${number % 20}.${number % 7}`,
      };
    }
  }
}

const bare = { advisory: null, package: null, fixVersion: null };

// Like the finalizer of MurmurHash3: close numbers give hashes that are far apart.
function scatter(number: number, salt: number): number {
  let hash = Math.imul(number + 1, 0x9e37_79b1) ^ Math.imul(salt, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
