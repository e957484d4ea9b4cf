import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocationId, VulnerabilityId } from '../../domain/ids.ts';
import { type AlreadyMatched, type Candidate, type CodeFinding, matchCode } from './match-code.ts';

const finding = (ordinal: number, more: Partial<CodeFinding> = {}): CodeFinding => ({
  ordinal,
  group: null,
  line: 10,
  ruleKey: 'rule',
  fileKey: 'file',
  fileKeyBefore: null,
  codeKey: null,
  fingerprintKey: null,
  fingerprintScheme: null,
  ...more,
});

const vulnerabilityOf = (id: string) => ({ vulnerabilityId: `v-${id}` as VulnerabilityId });

const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  locationId: id as LocationId,
  ...vulnerabilityOf(id),
  here: true,
  onDefault: true,
  live: true,
  seen: false,
  left: true,
  counterpart: true,
  line: 10,
  fileKey: 'file',
  codeKey: null,
  fingerprintKey: null,
  fingerprintScheme: null,
  ...more,
});

const alreadyMatched = (vulnerabilities: string[]): AlreadyMatched => ({
  locations: new Set(),
  vulnerabilities: new Map(vulnerabilities.map((id) => [id, null])),
});

function pairs(
  findings: CodeFinding[],
  candidates: Candidate[],
  taken: string[] = [],
): [number, string, string][] {
  return matchCode(findings, candidates, alreadyMatched(taken))
    .map((match): [number, string, string] => [match.ordinal, match.candidate.locationId, match.matchMethod])
    .sort((a, b) => a[0] - b[0]);
}

test('the best evidence goes first, and one vulnerability to one finding', () => {
  const print = { fingerprintKey: 'f', fingerprintScheme: 's' };
  assert.deepEqual(pairs([finding(0, { ...print, line: 90 }), finding(1)], [candidate('a', print)]), [
    [0, 'a', 'fingerprint'],
  ]);
});

test('nearest lines, one to one: a pair that is nearer wins', () => {
  const found = pairs(
    [finding(0, { line: 20 }), finding(1, { line: 30 })],
    [candidate('a', { line: 28 }), candidate('b', { line: 70 })],
  );
  assert.deepEqual(found, [
    [0, 'b', 'nearest-line'],
    [1, 'a', 'nearest-line'],
  ]);
  assert.deepEqual(pairs([finding(0, { line: 20 })], [candidate('b', { line: 71 })]), []);
  assert.deepEqual(pairs([finding(0)], [candidate('a', { live: false, line: 11 })]), [], 'fixed long ago');
});

test('equal code: in order of lines, and fewer on one side leaves the rest', () => {
  const same = { codeKey: 'c' };
  assert.deepEqual(
    pairs(
      [finding(0, { ...same, line: 5 }), finding(1, { ...same, line: 50 })],
      [candidate('late', { ...same, line: 40 }), candidate('early', { ...same, line: 4 })],
    ),
    [
      [0, 'early', 'code'],
      [1, 'late', 'code'],
    ],
  );
});

test('equal code in a long list: each finding takes the first location that it may match, in order of lines', () => {
  const same = { codeKey: 'c' };
  const other = (fingerprintKey: string) => ({ ...same, fingerprintKey, fingerprintScheme: 's' });
  const count = 100;
  const findings = Array.from({ length: count }, (_, index) =>
    finding(index, { ...(index % 10 === 0 ? other('now') : same), line: index }),
  );
  const known = Array.from({ length: count }, (_, index) =>
    candidate(`${index}`, { ...(index < 3 ? other(`before-${index}`) : same), line: 2 * index }),
  );
  const found = pairs(findings, known);
  assert.deepEqual(
    found.slice(0, 6).map(([, id]) => id),
    ['3', '0', '1', '2', '4', '5'],
  );
  assert.deepEqual([found.length, new Set(found.map(([, id]) => id)).size], [count, count]);
});

test('two different fingerprints of one scheme speak against code and line, not against another scheme', () => {
  const mine = { codeKey: 'c', fingerprintKey: 'f1', fingerprintScheme: 's' };
  assert.deepEqual(pairs([finding(0, mine)], [candidate('a', { ...mine, fingerprintKey: 'f2' })]), []);
  assert.deepEqual(
    pairs([finding(0, mine)], [candidate('a', { ...mine, fingerprintKey: 'f2', fingerprintScheme: 't' })]),
    [[0, 'a', 'code']],
  );
});

test('a finding that may not match a vulnerability matches the next one, and leaves it to others', () => {
  const found = matchCode(
    [finding(0, { line: 20 }), finding(1, { line: 60 })],
    [candidate('a', { line: 20 }), candidate('b', { line: 25 })],
    alreadyMatched([]),
    ({ ordinal }, { vulnerabilityId }) => ordinal !== 0 || vulnerabilityId !== 'v-a',
  );
  assert.deepEqual(
    found.map((match) => [match.ordinal, match.candidate.locationId]),
    [
      [0, 'b'],
      [1, 'a'],
    ],
  );
});

test('equal code of which there is one more or less: nobody who has not moved gets the place of another', () => {
  const same = { codeKey: 'c' };
  const at = (line: number) => ({ ...same, line });
  const known = [candidate('a', at(42)), candidate('b', at(61)), candidate('c', at(82))];
  assert.deepEqual(pairs([finding(0, at(61)), finding(1, at(82))], known), [
    [0, 'b', 'code'],
    [1, 'c', 'code'],
  ]);
  const more = [finding(0, at(5)), finding(1, at(43)), finding(2, at(62)), finding(3, at(83))];
  assert.deepEqual(pairs(more, known), [
    [1, 'a', 'code'],
    [2, 'b', 'code'],
    [3, 'c', 'code'],
  ]);
  assert.deepEqual(
    pairs([finding(0, at(40))], [candidate('a', { ...at(42), live: false }), ...known.slice(1)]),
    [[0, 'b', 'code']],
  );
  // Three findings, of which two are where two open locations are: a closed one does not push them to others.
  const closed = candidate('d', { ...at(124), live: false });
  assert.deepEqual(
    pairs([finding(0, at(5)), finding(1, at(42)), finding(2, at(61))], [...known.slice(0, 2), closed]),
    [
      [0, 'd', 'code'],
      [1, 'a', 'code'],
      [2, 'b', 'code'],
    ],
  );
});

/** Evidence with a number of a fingerprint, as `identity.ts` makes its key. */
const printed = (line: number, number: number, print = 'f') => ({
  ...{ codeKey: 'c', line, fingerprintScheme: 's' },
  fingerprintKey: `${print.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`,
});

test('equal code with numbered fingerprints of which there is one more or less is matched as code without them', () => {
  const at = printed;
  const known = [candidate('a', at(42, 0)), candidate('b', at(61, 1)), candidate('c', at(82, 2))];
  assert.deepEqual(pairs([finding(0, at(61, 0)), finding(1, at(82, 1))], known), [
    [0, 'b', 'code'],
    [1, 'c', 'code'],
  ]);
  const more = [finding(0, at(5, 0)), finding(1, at(42, 1)), finding(2, at(61, 2)), finding(3, at(82, 3))];
  assert.deepEqual(pairs(more, known), [
    [1, 'a', 'code'],
    [2, 'b', 'code'],
    [3, 'c', 'code'],
  ]);
  assert.deepEqual(pairs([finding(0, at(60, 0)), finding(1, at(81, 1))], known), [
    [0, 'b', 'code'],
    [1, 'c', 'code'],
  ]);
  assert.deepEqual(pairs([finding(0, at(44, 0)), finding(1, at(63, 1)), finding(2, at(84, 2))], known), [
    [0, 'a', 'fingerprint'],
    [1, 'b', 'fingerprint'],
    [2, 'c', 'fingerprint'],
  ]);
  const other = { ...at(30, 0), codeKey: 'other' };
  const later = [candidate('x', other), candidate('a', at(42, 1)), candidate('b', at(61, 2))];
  assert.deepEqual(pairs([finding(0, at(42, 0)), finding(1, at(61, 1))], later), [
    [0, 'a', 'code'],
    [1, 'b', 'code'],
  ]);
});

test('of long lists of equal code with numbered fingerprints, no finding takes a closed location before an open one', () => {
  const numbers = Array.from({ length: 70 }, (_, number) => number);
  const known = numbers.map((number) => candidate(`open-${number}`, printed(100 + number, number)));
  const closed = candidate('closed', { ...printed(5, 70), live: false });
  const moved = numbers.map((number) => finding(number, printed(101 + number, number)));
  assert.deepEqual(
    pairs(moved, [closed, ...known]),
    numbers.map((number) => [number, `open-${number}`, 'fingerprint']),
  );
});

test('a fingerprint tells which of several equal codes this is, in one line and where lines have moved', () => {
  for (const [line, other] of [
    [10, printed(10, 0, 'e')],
    [11, printed(11, 0, 'e')],
    [10, printed(10, 1)],
  ] as const) {
    const known = [candidate('b', other), candidate('a', printed(10, 0))];
    assert.deepEqual(pairs([finding(0, printed(line, 0))], known), [[0, 'a', 'fingerprint']]);
    assert.deepEqual(pairs([finding(0, other)], known), [[0, 'b', 'fingerprint']]);
  }
});

test('equal code with another fingerprint is new, although the file has a fingerprint with other code than before', () => {
  const known = [candidate('a', printed(10, 0)), candidate('b', { ...printed(50, 0, 'e'), codeKey: 'd' })];
  const edited = { ...printed(50, 0, 'e'), codeKey: 'edited' };
  assert.deepEqual(pairs([finding(0, printed(10, 0, 'd')), finding(1, edited)], known), [
    [1, 'b', 'fingerprint'],
  ]);
});

test('a renamed file: exactly one choice on either side', () => {
  const same = { codeKey: 'c' };
  const elsewhere = { ...same, fileKey: 'other' };
  assert.deepEqual(pairs([finding(0, same)], [candidate('a', elsewhere)]), [[0, 'a', 'renamed-file']]);
  assert.deepEqual(pairs([finding(0, same)], [candidate('a', elsewhere), candidate('b', elsewhere)]), []);
  assert.deepEqual(
    pairs([finding(0, same), finding(1, { ...same, fileKey: 'third' })], [candidate('a', elsewhere)]),
    [],
  );
});

test('the same reference first, then the default branch, then any; what is taken stays taken', () => {
  const same = { codeKey: 'c' };
  const here = candidate('here', same);
  const main = candidate('main', { ...same, here: false });
  const other = candidate('other', { ...same, here: false, onDefault: false });
  assert.deepEqual(pairs([finding(0, same)], [other, main, here]), [[0, 'here', 'code']]);
  assert.deepEqual(pairs([finding(0, same)], [other, main], ['v-main']), [[0, 'other', 'code']]);
  assert.deepEqual(pairs([finding(0, same)], [other]), [[0, 'other', 'code']]);
});

test('a place that is still seen was not renamed', () => {
  const same = { codeKey: 'c' };
  assert.deepEqual(
    pairs([finding(0, same)], [candidate('a', { ...same, fileKey: 'other', left: false })]),
    [],
  );
});

test('thousands of changed results on one line: matched in order, in time that grows with their number', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => i);
  const found = matchCode(
    many.map((i) => finding(i, { line: i % 3, codeKey: `new-${i}` })),
    many.map((i) => candidate(String(i), { line: i % 3, codeKey: `old-${i}` })),
    alreadyMatched([]),
  );
  assert.equal(found.length, 20_000);
  assert.equal(new Set(found.map((match) => match.candidate.vulnerabilityId)).size, 20_000);
});

test('findings of one group match several locations of one vulnerability, and others only those with their code', () => {
  const own = { vulnerabilityId: 'v' as VulnerabilityId };
  const known = [
    candidate('a', { ...own, fileKey: 'first', codeKey: 'x' }),
    candidate('b', { ...own, fileKey: 'second', codeKey: 'y' }),
  ];
  const moved = (group: number | null) => [
    finding(0, { group, fileKey: 'first', codeKey: 'x' }),
    finding(1, { group, fileKey: 'second', codeKey: 'y' }),
  ];
  assert.deepEqual(pairs(moved(7), known), [
    [0, 'a', 'code'],
    [1, 'b', 'code'],
  ]);
  assert.deepEqual(pairs(moved(null), known), [
    [0, 'a', 'code'],
    [1, 'b', 'code'],
  ]);
  const [first, second] = moved(null).map((each) => ({ ...each, codeKey: 'x' }));
  assert.ok(first && second);
  assert.deepEqual(pairs([first, second], known), [[0, 'a', 'code']]);
});

test('a file whose folder has moved keeps its locations, unless they are still seen there', () => {
  const moved = { fileKey: 'new', fileKeyBefore: 'old', fingerprintKey: 'f2', fingerprintScheme: 's' };
  const before = { fileKey: 'old', fingerprintKey: 'f1', fingerprintScheme: 's' };
  assert.deepEqual(
    pairs(
      [finding(0, { ...moved, codeKey: 'c' }), finding(1, { ...moved, line: 12 }), finding(2)],
      [
        candidate('a', { ...before, codeKey: 'c', line: 70 }),
        candidate('b', before),
        candidate('c', { ...before, line: 12, left: false }),
      ],
    ),
    [
      [0, 'a', 'moved-folder'],
      [1, 'b', 'moved-folder'],
    ],
  );
});

test('findings with neither code nor line: as many as the file had, in order, and otherwise no choice', () => {
  const alone = { line: null };
  const found = [finding(0, alone), finding(1, alone)];
  const known = [candidate('b', { ...alone, live: false }), candidate('a', alone)];
  assert.deepEqual(pairs(found, known), [
    [0, 'a', 'nearest-line'],
    [1, 'b', 'nearest-line'],
  ]);
  assert.deepEqual(pairs(found.slice(0, 1), known), [[0, 'a', 'nearest-line']], 'the open one');
  assert.deepEqual(pairs(found.slice(0, 1), [candidate('c', alone), ...known]), []);
  assert.deepEqual(pairs(found, known.slice(1)), []);
  assert.deepEqual(pairs(found.slice(0, 1), [candidate('a', { ...alone, counterpart: false })]), []);
  const before = known.map((each) => ({ ...each, live: false }));
  const ofMain = candidate('m', { ...alone, here: false });
  assert.deepEqual(
    pairs(found.slice(0, 1), [...before, ofMain]),
    [[0, 'm', 'nearest-line']],
    'closed ones hide nothing',
  );
  const onMain = known.map((each) => ({ ...each, here: false, live: true }));
  const onBranch = {
    ...candidate('d', { ...alone, here: false, onDefault: false }),
    ...vulnerabilityOf('a'),
  };
  assert.deepEqual(pairs(found.slice(0, 1), [...onMain, onBranch]), [], 'a branch has one of the two');
  assert.deepEqual(pairs(found.slice(0, 1), [candidate('c', { ...alone, codeKey: 'c' })]), []);
});

test('findings without code match what was closed in their line, after what is open within 50 lines', () => {
  const closed = candidate('a', { live: false });
  assert.deepEqual(pairs([finding(0)], [closed]), [[0, 'a', 'nearest-line']]);
  assert.deepEqual(pairs([finding(0)], [closed, candidate('b', { line: 40 })]), [[0, 'b', 'nearest-line']]);
  assert.deepEqual(pairs([finding(0)], [closed, candidate('b', { live: false })]), []);
  for (const evidence of [{ codeKey: 'c' }, { fingerprintKey: 'f', fingerprintScheme: 's' }]) {
    assert.deepEqual(pairs([finding(0, evidence)], [closed]), []);
    assert.deepEqual(pairs([finding(0)], [{ ...closed, ...evidence }]), []);
  }
});

test('findings with neither code nor line keep their locations when their folder moves, without closed ones', () => {
  const moved = finding(0, { line: null, fileKey: 'new', fileKeyBefore: 'old' });
  const before = candidate('a', { line: null, fileKey: 'old' });
  assert.deepEqual(pairs([moved], [before]), [[0, 'a', 'moved-folder']]);
  assert.deepEqual(pairs([moved], [{ ...before, live: false }]), []);
  assert.deepEqual(pairs([{ ...moved, fingerprintKey: 'f', fingerprintScheme: 's' }], [before]), []);
});
