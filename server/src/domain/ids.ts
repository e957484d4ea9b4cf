/**
 * Ids are UUIDv7 inside and in the database, and TypeID outside (`vc_01h…`: prefix, underscore, 26 characters of
 * Crockford base32 in lower case). Both forms sort by the time of creation, as does the number that a
 * workspace has in place of a UUID, because each row and each entry of an index has it.
 */
import { V7Generator } from 'uuidv7';
import { orNotFound } from './errors.ts';

const prefixes = {
  user: 'usr',
  tenant: 't',
  organization: 'org',
  repository: 'repo',
  application: 'app',
  vulnerability: 'vc',
  location: 'loc',
  reference: 'ref',
  scan: 'scan',
  series: 'ser',
  key: 'key',
  session: 'ses',
  invitation: 'inv',
  comment: 'cmt',
  artifact: 'art',
  event: 'evt',
  violation: 'pvl',
  policy: 'pol',
  exception: 'ovr',
  package: 'pkg',
  packageVersion: 'pkgv',
  manifest: 'man',
  analysis: 'ana',
  provider: 'prv',
  asset: 'ast',
  advisoryName: 'adn',
  savedView: 'view',
  webhook: 'whk',
  trustRule: 'tru',
  team: 'team',
  issueTracker: 'trk',
  linkedIssue: 'iss',
} as const;
export type IdKind = keyof typeof prefixes;
export const idKinds = Object.keys(prefixes) as IdKind[];

declare const kindOfId: unique symbol;
/** The UUID text of an object of this kind. The id of another kind does not compile in its place. */
export type Id<Kind extends IdKind> = string & { readonly [kindOfId]: Kind };
export type UserId = Id<'user'>;
export type OrganizationId = Id<'organization'>;
export type RepositoryId = Id<'repository'>;
export type ApplicationId = Id<'application'>;
export type VulnerabilityId = Id<'vulnerability'>;
export type LocationId = Id<'location'>;
export type ReferenceId = Id<'reference'>;
export type ScanId = Id<'scan'>;
export type SeriesId = Id<'series'>;
export type ArtifactId = Id<'artifact'>;
export type EventId = Id<'event'>;
export type ViolationId = Id<'violation'>;
export type PolicyId = Id<'policy'>;
export type ExceptionId = Id<'exception'>;
export type PackageId = Id<'package'>;
export type PackageVersionId = Id<'packageVersion'>;
export type ManifestId = Id<'manifest'>;
export type WebhookId = Id<'webhook'>;
export type TrustRuleId = Id<'trustRule'>;
export type TeamId = Id<'team'>;
export type CommentId = Id<'comment'>;
export type InvitationId = Id<'invitation'>;
export type KeyId = Id<'key'>;
export type SavedViewId = Id<'savedView'>;
export type SessionId = Id<'session'>;
export type AnalysisId = Id<'analysis'>;
export type AssetId = Id<'asset'>;
export type AdvisoryNameId = Id<'advisoryName'>;
export type ProviderId = Id<'provider'>;
export type IssueTrackerId = Id<'issueTracker'>;
export type LinkedIssueId = Id<'linkedIssue'>;

declare const keyOfTenant: unique symbol;
/** The key of a workspace in the database: a whole number from 1 to 2^53 - 1, as text. */
export type TenantId = string & { readonly [keyOfTenant]: true };

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const values = new Map([...alphabet].map((letter, value) => [letter, BigInt(value)]));
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The nil id means no object, in a key column of the database that cannot be null. */
export const nilId = '00000000-0000-0000-0000-000000000000' as Id<never>;

// The generator asks for its own random numbers in eights, which takes longer than all the rest.
const randomWords = new Uint32Array(1024);
let nextWord = randomWords.length;
const generator = new V7Generator({
  nextUint32: () => {
    if (nextWord === randomWords.length) {
      crypto.getRandomValues(randomWords);
      nextWord = 0;
    }
    return randomWords[nextWord++] as number;
  },
});

/** A new id, as UUID text. */
export function newId<Kind extends IdKind>(): Id<Kind> {
  return compactUuid(generator.generate().toString()) as Id<Kind>;
}

// The milliseconds since 1970 need 43 of the 53 bits until the year 2248.
const perMillisecond = 2 ** 10;
let lastTenantId = 0;

/**
 * A new key of a workspace: the time and ten random bits. PostgreSQL fills the pages of an index if new rows come last,
 * as those of the newest workspace do. Two installs never have the same key but by chance, so a workspace can move
 * between them.
 */
export function newTenantId(): TenantId {
  const number = Date.now() * perMillisecond + Math.floor(Math.random() * perMillisecond);
  lastTenantId = Math.max(number, lastTenantId + 1);
  return String(lastTenantId) as TenantId;
}

export function isTenantId(text: string): text is TenantId {
  return /^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(Number(text));
}

/** The UUID that stands for a workspace beside ids of other kinds, and in the API. It ends with the number. */
export function tenantUuid(tenantId: TenantId): Id<'tenant'> {
  return uuidOfDigest(Number(tenantId).toString(16).padStart(32, '0')) as Id<'tenant'>;
}

export function formatTenantId(tenantId: TenantId): string {
  return formatId('tenant', tenantUuid(tenantId));
}

const scratch = Buffer.alloc(36);

/**
 * Copies UUID text that was put together from pieces. V8 keeps the pieces of such a text, which take up to fifteen
 * times its size, and an import has some hundred thousand of them.
 */
function compactUuid(text: string): string {
  return scratch.toString('latin1', 0, scratch.write(text, 'latin1'));
}

/** Gives the UUID text of the first 128 bits of a digest in hex. */
export function uuidOfDigest(hex: string): string {
  return compactUuid(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`,
  );
}

/** The smallest id of this time: all ids made earlier sort before it, and all later ids after it. */
export function firstIdSince(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`;
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** UUID text → `vc_01h…`. */
export function formatId<Kind extends IdKind>(kind: Kind, uuid: Id<NoInfer<Kind>>): string {
  return `${prefixes[kind]}_${encode(uuid)}`;
}

export function formatIdOrNull<Kind extends IdKind>(
  kind: Kind,
  uuid: Id<NoInfer<Kind>> | null,
): string | null {
  return uuid === null ? null : formatId(kind, uuid);
}

/** `vc_01h…` → UUID text; undefined for anything else, another kind's id included. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> | undefined {
  const prefix = `${prefixes[kind]}_`;
  return text.startsWith(prefix) ? (decode(text.slice(prefix.length)) as Id<Kind> | undefined) : undefined;
}

/** An id without the prefix of its kind: `01h…` or a UUID → UUID text; undefined for anything else. */
export function parseUnprefixedId<Kind extends IdKind>(text: string): Id<Kind> | undefined {
  return (isUuid(text) ? text.toLowerCase() : decode(text)) as Id<Kind> | undefined;
}

/** Returns the UUID text of an id that the caller names. Throws 404 for any other text, which can name nothing. */
export function getId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> {
  return orNotFound(parseId(kind, text));
}

/** Returns each id of this kind among the texts once. */
export function distinctIds<Kind extends IdKind>(kind: Kind, texts: readonly string[]): Id<Kind>[] {
  return [...new Set(texts.flatMap((text) => parseId(kind, text) ?? []))];
}

/** Parses an id of any kind into its kind and UUID text; undefined for any other text. */
export function parseAnyId(text: string): { kind: IdKind; id: Id<IdKind> } | undefined {
  for (const kind of idKinds) {
    const id = parseId(kind, text);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

const letterCodes = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0));
/** The value of a hexadecimal digit by its character code; 255 for any other character. */
export const hexValues = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}
export const hyphen = '-'.charCodeAt(0);
const written = Buffer.alloc(26);

// A list of 50 rows writes two hundred ids, so this works on character codes. The first letter means three bits, each
// other one five.
function encode(uuid: string): string {
  let bits = 0;
  let bitCount = 2;
  let length = 0;
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at);
    if (code === hyphen) continue;
    bits = ((bits & 31) << 4) | (hexValues[code] ?? 0);
    bitCount += 4;
    if (bitCount < 5) continue;
    bitCount -= 5;
    written[length++] = letterCodes[(bits >> bitCount) & 31] ?? 0;
  }
  return written.toString('latin1', 0, length);
}

function decode(text: string): string | undefined {
  if (text.length !== 26) return undefined;
  let number = 0n;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    number = (number << 5n) | value;
  }
  if (number >> 128n !== 0n) return undefined;
  const hex = number.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The external id of an object that no VCS knows is made from our own id. */
export function localExternalId<Kind extends IdKind>(kind: Kind, uuid: Id<NoInfer<Kind>>): string {
  return `local:${formatId(kind, uuid)}`;
}

export function isLocalExternalId(externalId: string): boolean {
  return externalId.startsWith('local:');
}
