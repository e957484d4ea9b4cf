/**
 * The enumerations of a vulnerability and their packing into one small integer, the packed state.
 *
 * The packed state is the key of the counters and the second column of every list index, so the numbers here are
 * stored. A value may be added at the end of its list, but never moved or removed.
 */

/** Severities by rising rank. */
export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const types = [
  'other',
  'dependency',
  'sast',
  'secret',
  'iac',
  'container',
  'dast',
  'license',
  'malware',
] as const;
export type VulnerabilityType = (typeof types)[number];

export const statuses = ['open', 'fixed', 'accepted', 'ignored', 'rejected'] as const;
export type Status = (typeof statuses)[number];

/**
 * The reach of a vulnerability. `tracked`: it has been on a tracked reference. `branches`: it has been on other
 * references only, such as pull requests. `elsewhere`: it is fixed on the tracked references, and open on another
 * active one.
 */
export const reaches = ['tracked', 'branches', 'elsewhere'] as const;
export type Reach = (typeof reaches)[number];

/** The pairs of status and reach that occur; the position is stored. */
const statusReaches: readonly { status: Status; reach: Reach }[] = [
  ...statuses.map((status) => ({ status, reach: 'tracked' as const })),
  ...statuses.map((status) => ({ status, reach: 'branches' as const })),
  { status: 'fixed', reach: 'elsewhere' },
];

export const sources = ['current', 'git_history'] as const;
export type Source = (typeof sources)[number];

export interface Traits {
  severity: Severity;
  type: VulnerabilityType;
  status: Status;
  reach: Reach;
  source: Source;
  confirmed: boolean;
  triaged: boolean;
  assigned: boolean;
  /** A version that fixes it is known. */
  fixKnown: boolean;
}

// fix known 1 bit | severity 3 | type 4 | status with reach 4 | source 1 | confirmed 1 | triaged 1 | assigned 1
// Together these are the 16 bits of a smallint. The first bit is its sign, so the packed states of a known fix are
// negative, and a shift leaves copies of it that a mask must take away.
const fixKnownBit = -32_768;
const severityShift = 12;
const severityMask = 7;
const typeShift = 8;
const statusShift = 4;
const sourceBit = 8;
const confirmedBit = 4;
const triagedBit = 2;
const assignedBit = 1;

/** Throws RangeError for a status that the reach cannot have. */
export function packState(traits: Traits): number {
  const index = statusReaches.findIndex(
    ({ status, reach }) => status === traits.status && reach === traits.reach,
  );
  if (index === -1) throw new RangeError(`nothing is ${traits.status} with the reach ${traits.reach}`);
  return (
    (severities.indexOf(traits.severity) << severityShift) |
    (types.indexOf(traits.type) << typeShift) |
    (index << statusShift) |
    (traits.source === 'git_history' ? sourceBit : 0) |
    (traits.confirmed ? confirmedBit : 0) |
    (traits.triaged ? triagedBit : 0) |
    (traits.assigned ? assignedBit : 0) |
    (traits.fixKnown ? fixKnownBit : 0)
  );
}

/** The rank of the severity in a packed state, 0 (unknown) to 5 (critical), for sorting by severity. */
export function severityRank(packedState: number): number {
  return (packedState >> severityShift) & severityMask;
}

/** In SQL: the severity rank of a column of packed states. */
export function sqlSeverityRank(column: string): string {
  return `(${column} >> ${severityShift} & ${severityMask})`;
}

// Severities as text would sort by the alphabet, so SQL compares their positions in this array.
const sqlSeverities = `'{${severities.join(',')}}'::text[]`;

/** In SQL: the highest severity of the rows of a group. */
export function sqlHighestSeverity(column: string): string {
  return `(${sqlSeverities})[max(array_position(${sqlSeverities}, ${column}::text))]`;
}

/** In SQL: the higher severity of two columns. */
export function sqlHigherSeverity(a: string, b: string): string {
  const rank = (column: string): string => `array_position(${sqlSeverities}, ${column}::text)`;
  return `case when ${rank(a)} >= ${rank(b)} then ${a} else ${b} end`;
}

/** In SQL: the severity of a column of packed states, as text. */
export function sqlSeverity(column: string): string {
  return sqlSeverityOfRank(sqlSeverityRank(column));
}

/** In SQL: the severity of a rank, as text. */
export function sqlSeverityOfRank(rank: string): string {
  return `(${sqlSeverities})[${rank} + 1]`;
}

/** In SQL: the type of a column of packed states, as its position in `types`. */
export function sqlTypeNumber(column: string): string {
  return `(${column} >> ${typeShift} & 15)`;
}

/** In SQL: the source of a column of packed states, as its position in `sources`. */
export function sqlSourceNumber(column: string): string {
  return `(${column} & ${sourceBit}) / ${sourceBit}`;
}

/**
 * In SQL: a column of packed states with the source `current` if the condition is true, and `git_history` otherwise.
 */
export function sqlWithSource(column: string, isCurrent: string): string {
  return `(case when ${isCurrent} then ${column} & ~${sourceBit} else ${column} | ${sourceBit} end)`;
}

export function sqlIsConfirmed(column: string): string {
  return `(${column} & ${confirmedBit} <> 0)`;
}

export function sqlIsTriaged(column: string): string {
  return `(${column} & ${triagedBit} <> 0)`;
}

/** In SQL: true if the status of a column of packed states is one of these. */
export function sqlStatusIn(column: string, ...of: Status[]): string {
  return sqlStatusReachIn(column, ({ status }) => of.includes(status));
}

/** In SQL: true if the status of a column of packed states is open. */
export function sqlIsOpen(column: string): string {
  return sqlStatusIn(column, 'open');
}

/** In SQL: true if the vulnerability of a column of packed states counts as open in this scope. */
export function sqlIsOpenIn(column: string, scope: OpenScope): string {
  return sqlStatusReachIn(column, (index) => isOpenIn(index, scope));
}

/** In SQL: true if the vulnerability of a column of packed states has ever been in this scope. */
export function sqlIsInScope(column: string, scope: OpenScope): string {
  return sqlStatusReachIn(column, (index) => isInScope(index, scope));
}

function sqlStatusReachIn(
  column: string,
  test: (index: Pick<Traits, 'status' | 'reach'>) => boolean,
): string {
  const numbers = statusReaches.flatMap((index, number) => (test(index) ? [number] : []));
  return `(${column} >> ${statusShift} & 15) in (${numbers.join(', ')})`;
}

// The parts of four bits of a packed state, the last bits first. Each part has its values that occur, with the packed
// state that has this value and zero in all other parts.
const partBits = 4;
const packedParts = [0, 1, 2, 3].map((part) =>
  Array.from({ length: 16 }, (_, value) => ({
    value,
    packedState: signed(value << (partBits * part)),
  })).filter(({ packedState }) => isPackedState(packedState)),
);
const allValues = 0xffff;

/** The smallint with these sixteen bits. */
function signed(bits: number): number {
  return (bits << 16) >> 16;
}

/**
 * In SQL: true if all tests allow a column of packed states. Each test reads traits of one of the four parts. The
 * allowed values of each part are one number of sixteen bits, which `add` makes a parameter of the statement.
 */
export function sqlPackedStateIn(
  column: string,
  tests: Iterable<(traits: Readonly<Traits>) => boolean>,
  add: (values: number) => string,
): string {
  const allowed = packedParts.map(() => allValues);
  for (const test of tests) {
    const { part, values } = allowedByTest(test);
    allowed[part] = (allowed[part] ?? 0) & values;
  }
  const bits = allowed.map(
    (values, part) => `(${add(values)}::int >> (${column} >> ${partBits * part} & 15))`,
  );
  return `${bits.join(' & ')} & 1 = 1`;
}

// The part that a test reads, with the values that it allows. A test that reads no part allows all values or none.
function allowedByTest(test: (traits: Readonly<Traits>) => boolean): { part: number; values: number } {
  for (const [part, states] of packedParts.entries()) {
    let values = 0;
    for (const { value, packedState } of states) if (test(unpackState(packedState))) values |= 1 << value;
    const all = states.reduce((sum, { value }) => sum | (1 << value), 0);
    if (values !== 0 && values !== all) return { part, values };
  }
  return { part: 0, values: test(unpackState(0)) ? allValues : 0 };
}

/** `tracked`: the tracked references, on which headlines count; `all`: all active references. */
export const openScopes = ['tracked', 'all'] as const;
export type OpenScope = (typeof openScopes)[number];

/** True if the vulnerability has ever been in this scope. */
export function isInScope({ reach }: Pick<Traits, 'reach'>, scope: OpenScope): boolean {
  return scope === 'all' || reach !== 'branches';
}

/** The status in the scope. A vulnerability that is fixed on the tracked references may be open elsewhere. */
export function statusIn({ status, reach }: Pick<Traits, 'status' | 'reach'>, scope: OpenScope): Status {
  return scope === 'all' && reach === 'elsewhere' ? 'open' : status;
}

export function isOpenIn(index: Pick<Traits, 'status' | 'reach'>, scope: OpenScope): boolean {
  return isInScope(index, scope) && statusIn(index, scope) === 'open';
}

function isPackedState(number: number): boolean {
  return (
    severityRank(number) < severities.length &&
    ((number >> typeShift) & 15) < types.length &&
    ((number >> statusShift) & 15) < statusReaches.length
  );
}

// There are at most 65,536, and a list unpacks some three hundred.
const unpacked = new Map<number, Readonly<Traits>>();

/** Throws RangeError for a number that `packState` cannot have made. */
export function unpackState(packedState: number): Readonly<Traits> {
  const known = unpacked.get(packedState);
  if (known !== undefined) return known;
  const traits = traitsOf(packedState);
  unpacked.set(packedState, traits);
  return traits;
}

function traitsOf(packedState: number): Readonly<Traits> {
  if (!isPackedState(packedState)) throw new RangeError(`not a packed state: ${packedState}`);
  return {
    severity: severities[severityRank(packedState)] as Severity,
    type: types[(packedState >> typeShift) & 15] as VulnerabilityType,
    ...(statusReaches[(packedState >> statusShift) & 15] as (typeof statusReaches)[number]),
    source: packedState & sourceBit ? 'git_history' : 'current',
    confirmed: (packedState & confirmedBit) !== 0,
    triaged: (packedState & triagedBit) !== 0,
    assigned: (packedState & assignedBit) !== 0,
    fixKnown: packedState < 0,
  };
}
