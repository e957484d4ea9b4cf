import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ZipMember, zipOf } from '../../../test/support/zip.ts';
import { ReportError } from '../report.ts';
import { ReportArchive } from './archive.ts';
import { defaultLimits, type Limits } from './limits.ts';

const mb = 1024 * 1024;
const open = (bytes: Uint8Array, limits: Partial<Limits> = {}): ReportArchive =>
  new ReportArchive(bytes, { ...defaultLimits, ...limits });
const textOf = (archive: ReportArchive, name: string): string => Buffer.from(archive.read(name)).toString();

function refusalOf(attempt: () => unknown): ReportError {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof ReportError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the archive was taken' });
}

test('members are read by their names, compressed or not, also in a part of a larger buffer', () => {
  const bytes = zipOf({
    'beds/': '',
    'beds/north.csv': 'peas '.repeat(1000),
    '../../etc/south.csv': { content: 'beans', isStored: true },
  });
  const archive = open(Buffer.concat([Buffer.from('before'), bytes]).subarray('before'.length));
  assert.deepEqual(archive.names, ['beds/', 'beds/north.csv', '../../etc/south.csv']);
  assert.equal(textOf(archive, 'beds/north.csv'), 'peas '.repeat(1000));
  assert.equal(textOf(archive, '../../etc/south.csv'), 'beans');
  assert.equal(Buffer.from(archive.beginning('beds/north.csv')).toString().slice(0, 9), 'peas peas');
  assert.equal(Buffer.from(archive.beginning('../../etc/south.csv')).toString(), 'beans');
  assert.equal(archive.beginning('none').length, 0);
  assert.match(refusalOf(() => archive.read('none')).message, /missing/);
});

test('a member that is not what the directory says is refused', () => {
  const content = 'peas '.repeat(1000);
  const cases: [RegExp, ZipMember][] = [
    [/cannot be inflated/, { content, size: 10 }],
    [/not what the directory says/, { content, size: content.length - 1 }],
    [/not what the directory says/, { content, size: content.length + 1 }],
    [/not what the directory says/, { content, checksum: 7 }],
    [/not what the directory says/, { content, size: 10, isStored: true }],
    [/cannot be inflated/, { content, isStored: true, method: 8 }],
    [/encrypted/, { content, flags: 1 }],
    [/another method/, { content, method: 14 }],
  ];
  for (const [message, member] of cases) {
    const archive = open(zipOf({ bed: member }));
    const error = refusalOf(() => archive.read('bed'));
    assert.equal(error.code, 'MALFORMED_REPORT', String(message));
    assert.match(error.message, message);
  }
});

test('what is too large is refused before it is inflated, alone or together with other members', () => {
  const bomb = zipOf({ bed: Buffer.alloc(64 * mb).toString('latin1') });
  const started = process.cpuUsage();
  const error = refusalOf(() => open(bomb).read('bed'));
  assert.deepEqual([error.code, /MERLON_MAX_INFLATION_RATIO/.test(error.message)], ['LIMIT_EXCEEDED', true]);
  assert.match(
    refusalOf(() => open(bomb, { maxInflationRatio: 10_000, maxInflatedBytes: mb }).read('bed')).message,
    /larger than 1048576 bytes/,
  );
  assert.ok(process.cpuUsage(started).user < 50_000, 'nothing is inflated');
  const two = open(zipOf({ a: 'x'.repeat(600_000), b: 'x'.repeat(600_000) }), { maxInflatedBytes: mb });
  assert.equal(two.read('a').length, 600_000);
  assert.match(refusalOf(() => two.read('b')).message, /MERLON_MAX_INFLATED_MB/);
});

test('a lie about the size does not inflate more than it promises, and a beginning is short', () => {
  const content = Buffer.alloc(64 * mb).toString('latin1');
  const archive = open(zipOf({ bed: { content, size: 1000 } }));
  assert.match(refusalOf(() => archive.read('bed')).message, /cannot be inflated/);
  assert.ok(archive.beginning('bed').length <= 4096 * 1040);
});

test('an archive that is cut off, broken or of ZIP64 is refused', () => {
  const bytes = zipOf({ bed: 'peas', shed: 'tools' });
  for (let length = 0; length < bytes.length; length++) {
    assert.match(refusalOf(() => open(bytes.subarray(0, length))).message, /cut off/);
  }
  const withField = (offset: number, value: number): Buffer => {
    const changed = Buffer.from(bytes);
    changed.writeUInt16LE(value, bytes.length - 22 + offset);
    return changed;
  };
  assert.match(refusalOf(() => open(withField(10, 0xffff))).message, /more than 65534 members/);
  for (const changed of [withField(10, 3), withField(16, 1), withField(16, 60_000)]) {
    assert.match(refusalOf(() => open(changed)).message, /directory cannot be read/);
  }
  const elsewhere = Buffer.from(bytes);
  elsewhere.writeUInt32LE(0xfffffff0, bytes.indexOf('PK\u0001\u0002') + 42);
  const archive = open(elsewhere);
  assert.match(refusalOf(() => archive.read('bed')).message, /cut off/);
  assert.equal(archive.beginning('bed').length, 0);
  assert.deepEqual(open(Buffer.concat([zipOf({})])).names, []);
});

test('an archive with any byte changed is read as before, or refused', () => {
  const bytes = zipOf({ bed: 'peas '.repeat(50), shed: { content: 'tools', isStored: true } });
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      try {
        const archive = open(changed);
        for (const name of archive.names) {
          archive.beginning(name);
          assert.ok(['peas '.repeat(50), 'tools'].includes(textOf(archive, name)));
        }
      } catch (error) {
        assert.ok(error instanceof ReportError, `${at}: ${error}`);
      }
    }
  }
});
