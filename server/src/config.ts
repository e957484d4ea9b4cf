/**
 * Configuration: the environment is parsed once at the start and passed in. No other code reads `process.env`.
 * `settings` is the complete list, and a test compares `docs/configuration.md` with it.
 */

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { githubIssuer, gitlabIssuer } from './domain/ci-providers.ts';
import { issuerForm, parseIssuer } from './domain/issuer.ts';
import { isLoopback } from './domain/loopback.ts';
import type { Sentence } from './domain/sentence.ts';

/** A setting that is wrong: the message names it, and says what to set. */
export class ConfigError extends Error {
  declare readonly message: Sentence;

  constructor(message: Sentence) {
    super(message);
    this.name = 'ConfigError';
  }
}

type SettingName = `MERLON_${string}`;

/** The error for a value that the rule does not allow. A value that may hold a secret is given as `…`. */
function wrongValue(name: SettingName, value: string, rule: Sentence): ConfigError {
  return new ConfigError(`${name}=${value}: ${rule}`);
}

function missingValue(name: SettingName, cause: string): ConfigError {
  return new ConfigError(`Set ${name}, which is required with ${cause}.`);
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

interface Setting<T> {
  name: SettingName;
  fallback: string;
  about: string;
  parse: (text: string, name: SettingName) => T;
}

// PostgreSQL needs as much time for a list as the process that answers, so it gets the other half of the cores.
function processesOf(cores: number): number {
  return Math.min(8, Math.max(1, Math.floor(cores / 2)));
}

/** Every setting: name, value when unset, meaning, and how it is read. */
export const settings = {
  port: setting('MERLON_PORT', '8080', 'Port of the HTTP server; 0 picks a free one.', integer(0, 65_535)),
  host: setting('MERLON_HOST', '127.0.0.1', 'Address that the HTTP server listens on.', text),
  processes: setting(
    'MERLON_PROCESSES',
    '',
    'Processes of `serve` that answer requests; imports have a separate process. 0: a single process does both. Empty: one for every two processor cores, at most 8.',
    (value, name) => integer(0, 64)(value || String(processesOf(availableParallelism())), name),
  ),
  publicUrl: setting(
    'MERLON_PUBLIC_URL',
    '',
    'Address under which people reach the server, as shown in links; without a path. Empty: the listening address, and the console answers only under localhost.',
    optional(origin),
  ),
  dataDir: setting(
    'MERLON_DATA_DIR',
    './data',
    'Directory of the embedded database and of generated secrets.',
    (value) => resolve(value),
  ),
  databaseUrl: setting(
    'MERLON_DATABASE_URL',
    '',
    'PostgreSQL server, as the running role (`merlon_app`). Empty: the embedded database.',
    optional(url(['postgres:', 'postgresql:'])),
  ),
  databaseOwnerUrl: setting(
    'MERLON_DATABASE_OWNER_URL',
    '',
    'The same server as the owner of the schema. Only commands that change the schema, read all workspaces or delete history use it.',
    optional(url(['postgres:', 'postgresql:'])),
  ),
  databaseReadUrl: setting(
    'MERLON_DATABASE_READ_URL',
    '',
    'A streaming replica of `MERLON_DATABASE_URL`, as the same role, for lists, counts and the overview ([operations.md](operations.md#a-replica-for-lists)). Empty: the primary answers everything.',
    optional(url(['postgres:', 'postgresql:'])),
  ),
  databaseReadLagMs: setting(
    'MERLON_DATABASE_READ_LAG_MS',
    '100',
    'Milliseconds that a list waits until the replica has all data of the primary; then the primary answers.',
    integer(0, 10_000),
  ),
  databaseConnections: setting(
    'MERLON_DATABASE_CONNECTIONS',
    '16',
    'Connections of one `serve` for requests, shared by its processes, at least three for each; a workspace may use a third. Other connections are extra ([operations.md](operations.md#connections)).',
    integer(3, 1_000),
  ),
  secretFile: setting(
    'MERLON_SECRET_FILE',
    '',
    'File of the secret that all keys of the install derive from, the same on every node. Empty: `secret` in the data directory, created at the first start. A database belongs to one secret, and with another file no process starts. Required with `MERLON_DATABASE_URL`.',
    optional(text),
  ),
  rateLimitPerMinute: setting(
    'MERLON_RATE_LIMIT_PER_MINUTE',
    '60',
    'Requests per minute and API key. A user may send as many as ten keys and one session together, a workspace as many as ten users. 0 turns these limits off, but not the 600 of each session.',
    integer(0, 1_000_000),
  ),
  trustProxy: setting(
    'MERLON_TRUST_PROXY',
    'false',
    'Trust `X-Forwarded-For`: `false`, or a comma list of proxy addresses and networks; `loopback`, `linklocal` and `uniquelocal` are names of networks. `true` trusts it from anybody, so the proxy must replace what the client sends.',
    trustedProxies,
  ),
  logLevel: setting('MERLON_LOG_LEVEL', 'info', `One of ${logLevels.join(', ')}.`, (value, name) => {
    const level = logLevels.find((known) => known === value);
    if (level === undefined) throw wrongValue(name, value, `Must be one of ${logLevels.join(', ')}.`);
    return level;
  }),
  workers: setting(
    'MERLON_WORKERS',
    '1',
    'Imports that one process runs at the same time; 0 leaves them to other processes.',
    integer(0, 64),
  ),
  importsIdleSeconds: setting(
    'MERLON_IMPORTS_IDLE_SECONDS',
    '120',
    'Seconds without work after which `serve` ends its process for imports, until the next report; 0 never ends it.',
    integer(0, 86_400),
  ),
  drainSeconds: setting(
    'MERLON_DRAIN_SECONDS',
    '0',
    'Seconds between SIGTERM or SIGINT and the end of `serve`. It still answers requests, but `/readyz` reports not ready, so that a proxy has time to notice.',
    integer(0, 600),
  ),
  maxUploadMb: setting('MERLON_MAX_UPLOAD_MB', '100', 'Largest size of a report, as sent.', integer(1, 1024)),
  maxInflatedMb: setting(
    'MERLON_MAX_INFLATED_MB',
    '256',
    'Largest size of a report, decompressed.',
    integer(1, 1024),
  ),
  maxInflationRatio: setting(
    'MERLON_MAX_INFLATION_RATIO',
    '100',
    'Largest ratio of the decompressed size of a report to its compressed size.',
    integer(1, 10_000),
  ),
  maxWaitingMb: setting(
    'MERLON_MAX_WAITING_MB',
    '2048',
    'Largest total size of a workspace’s waiting reports, decompressed; further reports are refused with 429. Not less than `MERLON_MAX_INFLATED_MB`.',
    integer(1, 1_048_576),
  ),
  maxFindings: setting(
    'MERLON_MAX_FINDINGS',
    '250000',
    'Findings of one report, and packages of its inventory. A report may have sixty values for each, and 1,000 runs.',
    integer(1, 10_000_000),
  ),
  maxNesting: setting(
    'MERLON_MAX_NESTING',
    '200',
    'Largest nesting depth of brackets or elements in a report.',
    integer(10, 10_000),
  ),
  maxTextKb: setting(
    'MERLON_MAX_TEXT_KB',
    '1024',
    'Longest text of a report, in thousands of characters; a longer text is cut, and the scan has a warning. Descriptions have at most 65,536.',
    integer(1, 102_400),
  ),
  uploadsPerMinute: setting(
    'MERLON_UPLOADS_PER_MINUTE',
    '60',
    'Reports and CODEOWNERS files per minute and API key. A user may send as many as ten keys together, a workspace as many as ten users. 0 turns these limits off.',
    integer(0, 1_000_000),
  ),
  keepReportsDays: setting(
    'MERLON_KEEP_REPORTS_DAYS',
    '0',
    'Days for which a report is kept, encrypted, after its scan is final; 0 deletes it immediately.',
    integer(0, 3650),
  ),
  keepFixedDays: setting(
    'MERLON_KEEP_FIXED_DAYS',
    '0',
    'Days without a change, at least 30, after which `merlond prune` deletes a fixed vulnerability that no reference shows and that has no decision, confirmation, comment or assignee, with its history, and a violation of another target that is resolved for as long and has no exception; 0 keeps both for ever.',
    keptDays,
  ),
  keepReferencesDays: setting(
    'MERLON_KEEP_REFERENCES_DAYS',
    '0',
    'Days without a scan, at least 30, after which `merlond prune` deletes what an inactive branch, tag or pull request has shown; 0 keeps it for ever.',
    keptDays,
  ),
  keepScansDays: setting(
    'MERLON_KEEP_SCANS_DAYS',
    '0',
    'Days, at least 30, after which `merlond prune` deletes a completed scan that no stored data depends on; 0 keeps it for ever.',
    keptDays,
  ),
  keepAuditDays: setting(
    'MERLON_KEEP_AUDIT_DAYS',
    '0',
    'Days, at least 30, after which `merlond prune` deletes entries of the audit log; 0 keeps them for ever.',
    keptDays,
  ),
  keepEventsDays: setting(
    'MERLON_KEEP_EVENTS_DAYS',
    '30',
    'Days for which events are kept for the feed and for webhooks; a reader that stays away for longer starts again from an export.',
    integer(2, 3650),
  ),
  webhookNetworks: setting(
    'MERLON_WEBHOOK_NETWORKS',
    '',
    'Comma list of networks that webhooks and issue trackers may reach although they are not public, such as `10.1.0.0/16`; http is allowed there.',
    networks,
  ),
  smtpUrl: setting(
    'MERLON_SMTP_URL',
    '',
    'Mail server that takes the mails to members, such as `smtps://user:password@mail.example.com` or `smtp://mail.example.com:587` ([notifications.md](notifications.md#mail)); needs `MERLON_MAIL_FROM` and `MERLON_PUBLIC_URL`. Empty: no mails.',
    optional(smtpUrl),
  ),
  mailFrom: setting(
    'MERLON_MAIL_FROM',
    '',
    'Sender of the mails, such as `merlon@example.com`.',
    optional(mailAddress),
  ),
  activeDays: setting(
    'MERLON_ACTIVE_DAYS',
    '30',
    'Days after its last scan for which a reference that is not tracked counts; a series without a scan for as many days is stale.',
    integer(1, 3650),
  ),
  oidcIssuer: setting(
    'MERLON_OIDC_ISSUER',
    '',
    'OpenID Connect provider that people may sign in with; needs `MERLON_PUBLIC_URL`, client id and secret. Its redirect address is `MERLON_PUBLIC_URL` + `/console/oidc/callback/sso`.',
    optional(issuer),
  ),
  oidcClientId: setting('MERLON_OIDC_CLIENT_ID', '', 'Client id at the provider.', optional(text)),
  oidcClientSecret: setting(
    'MERLON_OIDC_CLIENT_SECRET',
    '',
    'Client secret at the provider.',
    optional(text),
  ),
  oidcName: setting(
    'MERLON_OIDC_NAME',
    'single sign-on',
    'Text of the sign-in button after “Continue with”.',
    text,
  ),
  oidcScopes: setting(
    'MERLON_OIDC_SCOPES',
    'openid profile email',
    'Scopes that are requested from the provider, separated by blanks. Some providers send groups only with a scope of their own, such as `groups`.',
    oidcScopes,
  ),
  oidcGroupsClaim: setting(
    'MERLON_OIDC_GROUPS_CLAIM',
    'groups',
    'Claim of the provider with the groups of a person, which fill teams ([owners.md](owners.md#teams-from-groups-of-the-identity-provider)).',
    text,
  ),
  passwords: setting(
    'MERLON_PASSWORDS',
    'on',
    '`off`: people sign in at the OpenID Connect provider only; needs `MERLON_OIDC_ISSUER` ([console.md](console.md#without-passwords)).',
    (value, name) => {
      if (value === 'on' || value === 'off') return value === 'on';
      throw wrongValue(name, value, 'Must be on or off.');
    },
  ),
  ciIssuers: setting(
    'MERLON_CI_ISSUERS',
    `${githubIssuer},${gitlabIssuer}`,
    'Comma list of the CI providers whose tokens trust rules of workspaces may take ([ci.md](ci.md#without-a-stored-key)); the server reads their public keys. `none`: no trust rules.',
    (value, name) =>
      value === 'none' ? [] : value.split(',').map((address) => issuer(address.trim(), name)),
  ),
  metricsPort: setting(
    'MERLON_METRICS_PORT',
    '',
    'Separate port of `/metrics`; 0 picks a free one. Empty: nothing is measured.',
    optional(integer(0, 65_535)),
  ),
  metricsHost: setting('MERLON_METRICS_HOST', '127.0.0.1', 'Address that `/metrics` listens on.', text),
  metricsToken: setting(
    'MERLON_METRICS_TOKEN',
    '',
    'Bearer token that a scrape must send, at least 16 characters. Required unless `MERLON_METRICS_HOST` is loopback.',
    optional(token),
  ),
  metricsWorkspaces: setting(
    'MERLON_METRICS_WORKSPACES',
    '0',
    'Number of workspaces, those with the most requests, that `/metrics` shows with name and requests; 0 shows none.',
    integer(0, 100),
  ),
};

/** The values of the settings, each as its `parse` returns it. */
type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

/** The settings that stand alone, and those that belong together as one object. */
export interface Config extends Omit<Values, 'smtpUrl' | 'mailFrom' | `oidc${string}` | `metrics${string}`> {
  /** Null means that no mails are sent. */
  smtp: { url: string; from: string } | null;
  /** Null means that people sign in with a password only. */
  oidc: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    name: string;
    scopes: string[];
    groupsClaim: string;
  } | null;
  /** True if the standard variables of OpenTelemetry turn traces on. */
  traces: boolean;
  /** Null means that no metrics are collected. */
  metrics: { port: number; host: string; token: string | null; workspaces: number } | null;
}

// These settings belong to `merlon`, the client. A person who has set them can start a server too.
const clientNames = ['MERLON_URL', 'MERLON_TOKEN', 'MERLON_WORKSPACE', 'MERLON_ID_TOKEN'];

/** Throws ConfigError for a value that is not allowed, and for a `MERLON_` name that does not exist. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const known = new Set<string>(Object.values(settings).map((entry) => entry.name));
  for (const name of clientNames) known.add(name);
  for (const name of Object.keys(environment)) {
    if (name.startsWith('MERLON_') && !known.has(name)) {
      throw new ConfigError(
        `There is no setting ${name}: correct or remove it. The settings are ${[...known].join(', ')}.`,
      );
    }
  }
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, { name, fallback, parse }]) => [
      key,
      parse(environment[name] || fallback, name),
    ]),
  ) as Values;
  const { smtpUrl, mailFrom, ...others } = values;
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcScopes, oidcGroupsClaim, ...more } =
    others;
  const { metricsPort, metricsHost, metricsToken, metricsWorkspaces, ...config } = more;
  const { publicUrl } = config;
  return {
    ...config,
    databaseReadUrl: readUrlOf(config.databaseUrl, config.databaseReadUrl),
    maxWaitingMb: waitingMbOf(config.maxWaitingMb, config.maxInflatedMb),
    smtp: smtpOf(publicUrl, smtpUrl, mailFrom),
    oidc: oidcOf(publicUrl, oidcIssuer, oidcClientId, oidcClientSecret, oidcName, {
      scopes: oidcScopes,
      groupsClaim: oidcGroupsClaim,
    }),
    passwords: passwordsOf(config.passwords, oidcIssuer),
    traces: asksForTraces(environment),
    metrics: metricsOf(metricsPort, metricsHost, metricsToken, metricsWorkspaces),
  };
}

function readUrlOf(databaseUrl: string | null, readUrl: string | null): string | null {
  if (databaseUrl === null && readUrl !== null) {
    throw missingValue(settings.databaseUrl.name, settings.databaseReadUrl.name);
  }
  return readUrl;
}

// The largest report must fit when no other report waits. Otherwise it would be refused on every attempt.
function waitingMbOf(waitingMb: number, inflatedMb: number): number {
  if (waitingMb >= inflatedMb) return waitingMb;
  throw wrongValue(
    settings.maxWaitingMb.name,
    String(waitingMb),
    `Must not be less than ${settings.maxInflatedMb.name}, which is ${inflatedMb}.`,
  );
}

// A mail has links to the console, and to the page that ends it.
function smtpOf(publicUrl: string | null, url: string | null, from: string | null): Config['smtp'] {
  if (url === null) return null;
  if (publicUrl === null || from === null) {
    const missing = from === null ? settings.mailFrom : settings.publicUrl;
    throw missingValue(missing.name, settings.smtpUrl.name);
  }
  return { url, from };
}

function oidcOf(
  publicUrl: string | null,
  issuer: string | null,
  clientId: string | null,
  clientSecret: string | null,
  name: string,
  claims: { scopes: string[]; groupsClaim: string },
): Config['oidc'] {
  if (issuer === null) return null;
  const missing = (name: SettingName) => missingValue(name, settings.oidcIssuer.name);
  if (publicUrl === null) throw missing(settings.publicUrl.name);
  if (clientId === null) throw missing(settings.oidcClientId.name);
  if (clientSecret === null) throw missing(settings.oidcClientSecret.name);
  return { issuer, clientId, clientSecret, name, ...claims };
}

// With neither passwords nor a provider nobody could sign in.
function passwordsOf(passwords: boolean, issuer: string | null): boolean {
  if (passwords || issuer !== null) return passwords;
  throw missingValue(settings.oidcIssuer.name, `${settings.passwords.name}=off`);
}

// The library reads these itself, with all other OTEL_ variables.
function asksForTraces(environment: Record<string, string | undefined>): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  if (environment.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

function metricsOf(
  port: number | null,
  host: string,
  token: string | null,
  workspaces: number,
): Config['metrics'] {
  if (port === null) return null;
  if (token === null && !isLoopback(host)) {
    throw missingValue(settings.metricsToken.name, `${settings.metricsHost.name}=${host}`);
  }
  return { port, host, token, workspaces };
}

function setting<T>(
  name: SettingName,
  fallback: string,
  about: string,
  parse: (text: string, name: SettingName) => T,
): Setting<T> {
  return { name, fallback, about, parse };
}

function text(value: string): string {
  return value;
}

function optional<T>(
  parse: (value: string, name: SettingName) => T,
): (value: string, name: SettingName) => T | null {
  return (value, name) => (value === '' ? null : parse(value, name));
}

function integer(minimum: number, maximum: number): (value: string, name: SettingName) => number {
  return (value, name) => {
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= minimum && number <= maximum)) {
      throw wrongValue(name, value, `Must be an integer from ${minimum} to ${maximum}.`);
    }
    return number;
  };
}

// A shorter time would delete data that teams still work on.
const leastKeptDays = 30;

function keptDays(value: string, name: SettingName): number {
  const days = integer(0, 3650)(value, name);
  if (days === 0 || days >= leastKeptDays) return days;
  throw wrongValue(name, value, `Must be 0, or at least ${leastKeptDays}.`);
}

function networks(value: string, name: SettingName): string[] {
  const texts = value.split(',').flatMap((text) => text.trim() || []);
  if (!texts.every((text) => prefixOf(text) !== null)) {
    throw wrongValue(name, value, 'Must be networks such as 10.1.0.0/16, separated by commas.');
  }
  return texts;
}

/** Returns the length of the prefix of a network, or null if the text is no network. */
function prefixOf(network: string): number | null {
  const [, address = '', prefix = ''] = /^([^/]*)\/(\d{1,3})$/.exec(network) ?? [];
  const bits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) === 0 || Number(prefix) > bits ? null : Number(prefix);
}

// The server's library knows these names, and refuses the network of all addresses.
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

function trustedProxies(value: string, name: SettingName): boolean | string {
  if (value === 'true' || value === 'false') return value === 'true';
  const isProxy = (text: string): boolean =>
    proxyNames.includes(text) || isIP(text) !== 0 || (prefixOf(text) ?? 0) > 0;
  if (value.split(',').every((text) => isProxy(text.trim()))) return value;
  throw wrongValue(
    name,
    value,
    'Must be false, true, or addresses and networks such as 10.1.0.0/16, separated by commas.',
  );
}

function token(value: string, name: SettingName): string {
  if (!/^[!-~]{16,}$/.test(value)) {
    // The value is a secret, so the message does not repeat it.
    throw wrongValue(name, '…', 'Must have at least 16 characters and no spaces.');
  }
  return value;
}

// The keys of an issuer come from its address, so nobody on the way may change them.
function issuer(value: string, name: SettingName): string {
  const parsed = parseIssuer(value);
  if (parsed === undefined) throw wrongValue(name, value, `Must be ${issuerForm}.`);
  const { protocol, hostname } = new URL(parsed);
  if (protocol === 'https:' || isLoopback(hostname)) return parsed;
  throw wrongValue(name, value, 'An issuer must start with https:, because its keys come from its URL.');
}

function url(protocols: string[]): (value: string, name: SettingName) => string {
  return (value, name) => {
    const parsed = URL.parse(value);
    if (!parsed || !protocols.includes(parsed.protocol)) {
      // The value can hold a password, so the message does not repeat it.
      throw wrongValue(
        name,
        '…',
        `Must start with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, as a URL does.`,
      );
    }
    return value;
  };
}

// Links are this text and a path, and the console's own paths begin at the root.
function origin(value: string, name: SettingName): string {
  const parsed = new URL(url(['http:', 'https:'])(value, name));
  if (parsed.href === `${parsed.origin}/`) return parsed.origin;
  throw wrongValue(name, '…', 'Must have nothing after the host and port.');
}

function oidcScopes(value: string, name: SettingName): string[] {
  const scopes = value.trim().split(/\s+/);
  // RFC 6749, section 3.3.
  if (scopes.includes('openid') && scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))) return scopes;
  throw wrongValue(name, value, 'Must be scopes separated by blanks, and one of them must be openid.');
}

function smtpUrl(value: string, name: SettingName): string {
  const address = new URL(url(['smtp:', 'smtps:'])(value, name));
  try {
    decodeURIComponent(address.username + address.password);
  } catch {
    throw wrongValue(name, '…', 'Must have each % of user and password written as %25.');
  }
  return value;
}

function mailAddress(value: string, name: SettingName): string {
  // Only what a header can hold: the library encodes names, and a line break would be another header.
  if (/^[^\p{Cc}<>@]*<?[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+>?$/u.test(value)) return value;
  throw wrongValue(name, value, 'Must be an address such as merlon@example.com, or Name <address>.');
}
