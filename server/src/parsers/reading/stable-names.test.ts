import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { ReportFinding, Run } from '../report.ts';
import { newFinding, newRun } from './finding.ts';

const runOf = (type: VulnerabilityType, paths: string[], gaps: Run['gaps'] = []): Run =>
  newRun({ tool: 'spade', gaps, findings: paths.map((path) => findingAt(type, path)) });

function findingAt(type: VulnerabilityType, path: string): ReportFinding {
  return newFinding({ pointer: '', type, severity: 'low', title: 't', rule: 'r', path, code: path });
}

const pathsOf = (type: VulnerabilityType, ...paths: string[]): unknown[] =>
  runOf(type, paths).findings.map(({ path }) => path);

const site = 'https://garden.example/static';

test('the hash in the name of a script or style sheet of a site is no part of its address', () => {
  for (const [name, stable] of [
    ['main.3f2a1b9c.js', 'main.{{hash}}.js'],
    ['main.9d8e7f6a.js', 'main.{{hash}}.js'],
    ['vendor.3f2a1b9c.js', 'vendor.{{hash}}.js'],
    ['runtime.3f2a1b9c.chunk.js', 'runtime.{{hash}}.chunk.js'],
    ['main.3f2a1b9c4d5e6f7a8b9c.css.map', 'main.{{hash}}.css.map'],
    ['main-5XQ2K7LB.js', 'main-{{hash}}.js'],
    ['styles-B9yLz2Zp.css', 'styles-{{hash}}.css'],
  ]) {
    assert.deepEqual(pathsOf('dast', `${site}/${name}`), [`${site}/${stable}`]);
  }
});

test('a name that may be a word, a number or an upload stays, and so does one that several files may have', () => {
  for (const name of [
    'vendor-datepicker.js',
    'app-20240115.js',
    'app-deadbeef.js',
    'app-Chapter1.js',
    'common-IPv4Addr.js',
    'common-IPv6Addr.js',
    'vendor-Base64Encoder.js',
    'app-VERSION2.js',
    'common-ISO88591.js',
    'common-2FACTORS.js',
    'main-00000a01.js',
    'main-3f2a1b9c.jpg',
    '3f2a1b9c.js',
    'chunk-5XQ2K7LB.js',
    'index-B9yLz2Zp.css',
    '2.3f2a1b9c.chunk.js',
    'domain-5XQ2K7LB.js',
    'main.3f2a1b9c',
  ]) {
    assert.deepEqual(pathsOf('dast', `${site}/${name}`), [`${site}/${name}`]);
  }
  assert.deepEqual(
    pathsOf('sast', 'web/main.3f2a1b9c.js'),
    ['web/main.3f2a1b9c.js'],
    'a file of the repository',
  );
});

test('two scripts of one name and directory stay two, and one of several findings in a script is enough', () => {
  const [first, second] = [`${site}/main-B9yLz2Zp.js`, `${site}/main-C3xRq7Wd.js`];
  assert.deepEqual(pathsOf('dast', first, second), [first, second]);
  assert.deepEqual(pathsOf('dast', first, first), [`${site}/main-{{hash}}.js`, `${site}/main-{{hash}}.js`]);
  assert.deepEqual(pathsOf('dast', `${site}/a/app.3f2a1b9c.js`, `${site}/b/app.9d8e7f6a.js`), [
    `${site}/a/app.{{hash}}.js`,
    `${site}/b/app.{{hash}}.js`,
  ]);
});

const task = 'arn:aws:ecs:eu-garden-1:000000000031:task-definition/shed';
const lambda = 'arn:aws:lambda:eu-garden-1:000000000031:function:shed';

test('a task definition is the same in its next revision, and a function in its next version', () => {
  for (const [name, stable] of [
    [`${task}:57`, task],
    [`${task}:58`, task],
    [`${lambda}:12`, lambda],
    [`${lambda}:$LATEST`, lambda],
  ] as const) {
    const [finding] = runOf('iac', [name]).findings;
    assert.deepEqual([finding?.path, finding?.code], [stable, stable]);
  }
  for (const name of [`${lambda}:prod`, 'arn:aws:sns:eu-garden-1:000000000031:bed:7', 'arn:aws:s3:::gate']) {
    assert.deepEqual(pathsOf('iac', name), [name]);
  }
});

test('two revisions in one report stay two, and so do two task definitions', () => {
  assert.deepEqual(pathsOf('iac', `${task}:57`, `${task}:58`), [`${task}:57`, `${task}:58`]);
  assert.deepEqual(pathsOf('iac', `${lambda}`, `${lambda}:12`), [lambda, `${lambda}:12`]);
  assert.deepEqual(pathsOf('iac', `${task}:57`, `${task}-two:58`), [task, `${task}-two`]);
});

test('a check without a result at a new revision keeps what was found at the revision before', () => {
  assert.deepEqual(runOf('iac', [], [{ rule: 'r', path: `${task}:58` }, { rule: 'r' }]).gaps, [
    { rule: 'r', path: `${task}:58` },
    { rule: 'r', path: task },
    { rule: 'r' },
  ]);
});
