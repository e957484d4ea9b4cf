/** Tests of the operator's commands, called like from a script: arguments in, JSON and exit codes out. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { formatId, type LocationId, newId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { bom } from '../support/boms.ts';
import { createTestDatabase } from '../support/database.ts';
import { fieldsOf } from '../support/fields.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { osvRecord } from '../support/osv.ts';
import { createDirectory, merlond } from '../support/process.ts';
import { sarif, trivy } from '../support/reports.ts';
import { nodeSettings } from '../support/serving.ts';

const directory = createDirectory();
const database = await createTestDatabase();
const settings = nodeSettings(database);

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await merlondHere([...args, '--json'], settings);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

before(async () => {
  await json('workspace', 'create', 'acme', '--name', 'Acme Inc.');
  await json('user', 'create', 'Ada@Example.com', '--name', 'Ada');
  await json('member', 'add', 'ada@example.com', '--workspace', 'acme', '--role', 'member');
});

test('workspace and user commands show what they create, and create it once', async () => {
  const made = await json('workspace', 'create', 'other', '--name', 'Other');
  assert.match(String(made.id), /^t_[0-9a-z]{26}$/);
  assert.deepEqual([made.slug, made.workspace], ['other', 'Other']);
  const { rows } = await database.owner.query(
    `select e.actor_id, e.data from audit_event e join tenant t on t.id = e.tenant_id
      where t.slug = 'other' and e.action = 'workspace.create'`,
  );
  assert.deepEqual(rows, [{ actor_id: null, data: { slug: 'other', name: 'Other' } }]);
  const again = await merlondHere(['workspace', 'create', 'other', '--name', 'Other'], settings);
  assert.equal(again.code, 3);
  assert.match(again.stderr, /There is already a workspace other/);
  for (const slug of ['tenants', 'Upper', '-x', 'a'.repeat(41)]) {
    const refused = await merlondHere(['workspace', 'create', '--name', 'X', '--', slug], settings);
    assert.equal(refused.code, 2, `${slug}: ${refused.stderr}`);
  }
  const user = await merlond(
    ['user', 'create', 'b@example.com', '--name', 'B', '--password-stdin', '--json'],
    settings,
    'a long password\n',
  );
  assert.equal(user.code, 0, user.stderr);
  assert.doesNotMatch(user.stdout + user.stderr, /long password/);
  const short = await merlond(
    ['user', 'create', 'c@example.com', '--name', 'C', '--password-stdin'],
    settings,
    'short',
  );
  assert.equal(short.code, 2);
});

test('workspace set changes a setting, and the audit log has the change once', async () => {
  for (const _ of ['changed', 'the same']) {
    await json('workspace', 'set', 'other', '--new-repositories', 'never');
  }
  const { rows } = await database.owner.query(
    `select e.actor_id, e.data, t.settings from audit_event e join tenant t on t.id = e.tenant_id
      where t.slug = 'other' and e.action = 'workspace.change'`,
  );
  assert.deepEqual(rows, [
    {
      actor_id: null,
      data: { new_repositories: { from: 'any', to: 'never' } },
      settings: { new_repositories: 'never' },
    },
  ]);
});

test('in a directory without an install a backup, a check and every other command of an install refuse, and make none', async () => {
  const nowhere = join(directory, 'nowhere');
  const copy = join(directory, 'nothing.backup');
  for (const args of [
    ['backup', copy],
    ['doctor'],
    ['doctor', 'isolation'],
    ['prune'],
    ['workspace', 'list'],
    ['workspace', 'export', 'acme', copy],
    ['key', 'list'],
    ['intel', 'match'],
    ['user', 'export', 'ada@example.com'],
  ]) {
    const env = { MERLON_DATA_DIR: nowhere, MERLON_KEEP_SCANS_DAYS: '400' };
    const { code, stderr } = await merlondHere(args, env);
    assert.equal(code, 3, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /There is no database in .*nowhere\. Set MERLON_DATA_DIR/);
  }
  assert.deepEqual([existsSync(nowhere), existsSync(copy)], [false, false]);
});

test('user email changes the address of an account, to a free one, and the audit log has it without the address', async () => {
  await json('user', 'create', 'fay@old.example', '--name', 'Fay');
  await json('member', 'add', 'fay@old.example', '--workspace', 'acme', '--role', 'viewer');
  assert.deepEqual(await json('user', 'email', 'Fay@old.example', '--to', 'Fay@new.example'), {
    email: 'fay@new.example',
    from: 'fay@old.example',
  });
  for (const [args, expected] of [
    [['fay@old.example', '--to', 'fay@newer.example'], /There is no user fay@old\.example/],
    [['fay@new.example', '--to', 'Ada@example.com'], /There is already a user ada@example\.com/],
    [['fay@new.example', '--to', 'nowhere'], /The text "nowhere" is no e-mail address\./],
    [
      ['fay@new.example', '--to', 'fay\u200b@old.example'],
      /has letters or unseen characters that make it look like another address: type it anew\./,
    ],
    [['fay@new.example', '--to', 'k@t_1.Service.invalid'], / is that of a service account/],
  ] as const) {
    const { code, stderr } = await merlondHere(['user', 'email', ...args], settings);
    assert.notEqual(code, 0);
    assert.match(stderr, expected);
  }
  const { rows } = await database.owner.query(
    `select data from audit_event where action = 'user.email' and actor_id is null`,
  );
  assert.deepEqual(rows, [{ data: {} }]);
});

test('user operator makes a person an operator, and no longer', async () => {
  await json('user', 'create', 'dee@example.com', '--name', 'Dee');
  const isOperator = async () => {
    const asOwner = { ...settings, MERLON_DATABASE_OWNER_URL: database.ownerUrl };
    const { stdout } = await merlondHere(['user', 'export', 'dee@example.com'], asOwner);
    return /"operator":true/.test(stdout);
  };
  const made = await json('user', 'operator', 'Dee@example.com');
  assert.deepEqual(made, { email: 'dee@example.com', operator: true });
  assert.equal(await isOperator(), true);
  assert.equal((await json('user', 'operator', 'dee@example.com', '--remove')).operator, false);
  assert.equal(await isOperator(), false);
  assert.equal((await merlondHere(['user', 'operator', 'nobody@example.com'], settings)).code, 3);
});

test('user disable, user enable and member remove warn about workspaces without an admin', async () => {
  await json('workspace', 'create', 'lone', '--name', 'Lone');
  await json('user', 'create', 'eve@example.com', '--name', 'Eve');
  await json('member', 'add', 'eve@example.com', '--workspace', 'lone', '--role', 'admin');
  const disabled = await merlondHere(['user', 'disable', 'Eve@example.com', '--json'], settings);
  assert.equal(disabled.code, 0, disabled.stderr);
  assert.deepEqual(JSON.parse(disabled.stdout), {
    email: 'eve@example.com',
    disabled: true,
    without_admin: ['lone'],
  });
  assert.match(disabled.stderr, /warning: no admin of lone can sign in/);
  assert.deepEqual(await json('user', 'enable', 'eve@example.com'), {
    email: 'eve@example.com',
    disabled: false,
  });
  const remove = ['member', 'remove', 'eve@example.com', '--workspace', 'lone'];
  const removed = await merlondHere([...remove, '--json'], settings);
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(JSON.parse(removed.stdout), {
    email: 'eve@example.com',
    workspace: 'lone',
    without_admin: ['lone'],
  });
  assert.match(removed.stderr, /warning: no admin/);
  const again = await merlondHere(remove, settings);
  assert.deepEqual(
    [again.code, /eve@example\.com is not a member/.test(again.stderr)],
    [3, true],
    again.stderr,
  );
  for (const args of [
    ['user', 'disable', 'nobody@example.com'],
    ['user', 'enable', 'nobody@example.com'],
    ['member', 'remove', 'nobody@example.com', '--workspace', 'lone'],
    ['member', 'remove', 'eve@example.com', '--workspace', 'nowhere'],
  ]) {
    assert.equal((await merlondHere(args, settings)).code, 3, args.join(' '));
  }
});

test('a key is created, listed and revoked, with scopes within the role', async () => {
  const made = await json(
    ...['key', 'create', '--kind', 'personal', '--user', 'ada@example.com', '--name', 'laptop'],
    ...['--scopes', 'tenants:read,vulnerabilities:write'],
  );
  assert.match(String(made.key), /^mrl_pat_[0-9A-Za-z]{46}$/);
  const plain = await merlondHere(
    ['key', 'create', '--kind', 'workspace', '--workspace', 'acme', '--name', 'ci', '--scopes', 'scans:read'],
    settings,
  );
  assert.match(plain.stdout, /^mrl_wsk_[0-9A-Za-z]{46}\n$/, 'standard output is the key alone');
  await json('workspace', 'create', 'elsewhere', '--name', 'Elsewhere');
  const ofAda = ['--kind', 'personal', '--user', 'ada@example.com', '--scopes', 'tenants:read'];
  const refusals: [string[], number, RegExp][] = [
    [[...ofAda, '--workspaces', 'acme,elsewhere'], 3, /ada@example.com is not a member of elsewhere: use/],
    [[...ofAda, '--workspaces', 'acme,nowhere'], 3, /no workspace nowhere/],
    [[...ofAda, '--expires', '1h'], 2, /--expires/],
    [[...ofAda, '--expires', '2020-01-01'], 2, /past/],
    [
      ['--kind', 'personal', '--user', 'ada@example.com', '--scopes', 'policies:write'],
      2,
      /policies:write needs the role admin/,
    ],
    [
      ['--kind', 'personal', '--user', 'ada@example.com', '--scopes', 'nothing:read'],
      2,
      /No such scope: nothing:read/,
    ],
    [['--kind', 'personal', '--user', 'nobody@example.com', '--scopes', 'tenants:read'], 3, /no user nobody/],
    [['--kind', 'workspace', '--workspace', 'acme', '--scopes', 'scans:write'], 2, /needs the role member/],
    [['--kind', 'other', '--scopes', 'scans:read'], 2, /Allowed choices are personal, workspace/],
  ];
  for (const [args, code, message] of refusals) {
    const refused = await merlondHere(['key', 'create', '--name', 'x', ...args], settings);
    assert.equal(refused.code, code, args.join(' ') + refused.stderr);
    assert.match(refused.stderr, message);
  }
  await json('key', 'revoke', String(made.id));
  const listed = (await json('key', 'list', '--user', 'ada@example.com')) as unknown as Record<
    string,
    unknown
  >[];
  assert.deepEqual(fieldsOf(listed, 'name', 'status'), [['laptop', 'Disabled']]);
  assert.equal(JSON.stringify(listed).includes(String(made.key)), false, 'a value is shown once');
  assert.equal((await merlondHere(['key', 'revoke', 'key_nothing'], settings)).code, 3);
});

test('inventory apply writes a file whole, is repeatable, and refuses mistakes with their path', async () => {
  const path = file(
    'inventory.yaml',
    'organizations:\n  - full_path: acme/tools\n    parent: acme\n  - full_path: acme\n    type: github_org\nrepositories:\n  - full_name: acme/tools/cli\n    source: ghc\n    external_id: "7"\n    default_branch: trunk\napplications:\n  - name: Tools\n    repositories: [acme/tools/cli]\n',
  );
  const applied = await json('inventory', 'apply', path, '--workspace', 'acme');
  assert.deepEqual(applied, { organizations: 2, repositories: 1, applications: 1 });
  await json('inventory', 'apply', path, '--workspace', 'acme');
  const wrong = file('wrong.yaml', 'repositories:\n  - full_name: acme/x\n    sourcee: ghc\n');
  const refused = await merlondHere(['inventory', 'apply', wrong, '--workspace', 'acme'], settings);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /repositories\/0/);
  const lost = file('lost.yaml', 'applications:\n  - name: Lost\n    repositories: [acme/none]\n');
  assert.equal((await merlondHere(['inventory', 'apply', lost, '--workspace', 'acme'], settings)).code, 3);
});

test('inventory apply keeps the description and the repositories that an application has and the file does not give', async () => {
  const apply = (name: string, application: string) =>
    json('inventory', 'apply', file(name, `applications:\n${application}`), '--workspace', 'acme');
  const read = async () => {
    const { rows } = await database.owner.query(
      `select a.name, a.description, array(select r.full_name from application_repository x
                join repository r on r.tenant_id = a.tenant_id and r.id = x.repository_id
               where x.tenant_id = a.tenant_id and x.application_id = a.id) as repositories
         from application a where a.name_key = 'kept'`,
    );
    return rows;
  };
  await apply('all.yaml', '  - name: Kept\n    description: Ours\n    repositories: [acme/tools/cli]\n');
  await apply('key.yaml', '  - name: kept\n');
  assert.deepEqual(await read(), [{ name: 'kept', description: 'Ours', repositories: ['acme/tools/cli'] }]);
  await apply('emptied.yaml', '  - name: kept\n    description: null\n    repositories: []\n');
  assert.deepEqual(await read(), [{ name: 'kept', description: null, repositories: [] }]);
});

test('scan import imports several files with counts, and a failure sets the exit code', async () => {
  const good = file('trivy.json', trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }]));
  const code = file('semgrep.sarif', sarif([{ rule: 'sqli', path: 'a.ts', line: 3 }]));
  const common = ['--workspace', 'acme', '--repo', 'acme/shop', '--sha', 'abcdef0'];
  const { scans } = (await json('scan', 'import', good, code, ...common)) as {
    scans: {
      file: string;
      format: string;
      tool: string;
      status: string;
      counts: { read: number; new: number };
    }[];
  };
  assert.deepEqual(
    scans.map((scan) => [scan.file, scan.format, scan.tool, scan.status, scan.counts.read, scan.counts.new]),
    [
      [good, 'trivy', 'trivy', 'completed', 1, 1],
      [code, 'sarif', 'semgrep', 'completed', 1, 1],
    ],
  );
  const broken = await merlondHere(
    ['scan', 'import', file('broken.json', '{'), ...common, '--json'],
    settings,
  );
  assert.equal(broken.code, 5);
  assert.equal(JSON.parse(broken.stdout).scans[0].error.code, 'MALFORMED_REPORT');
  const empty = await merlondHere(['scan', 'import', file('empty.json', ''), ...common], settings);
  assert.deepEqual([empty.code, /The report is empty/.test(empty.stdout + empty.stderr)], [5, true]);
  const usage: [string[], RegExp][] = [
    [['--repo', 'noslash'], /--repo/],
    [['--sha', 'xyz'], /--sha/],
    [['--ref', 'a..b'], /--ref/],
    [['--ref', 'HEAD'], /--ref: The name HEAD means whatever is checked out\./],
    [['--default-branch', 'refs/tags/v1'], /--default-branch: Must be a branch, not "refs\/tags\/v1"\./],
    [['--category', 'a\u001bb'], /--category: Must not contain control/],
    [['--scanned-at', '2999-01-01T00:00:00Z'], /future/],
    [['--scanned-at', '2026-02-30T00:00:00Z'], /--scanned-at: .* 2026-02-30 00:00:00 is none\./],
    [['--ref-type', 'twig'], /--ref-type/],
  ];
  for (const [args, message] of usage) {
    const refused = await merlondHere(['scan', 'import', good, ...common, ...args], settings);
    assert.equal(refused.code, 2, args.join(' '));
    assert.match(refused.stderr, message);
  }
  for (const [name, code, message] of [
    ['none.json', 3, `There is no file or folder ${join(directory, 'none.json')}.`],
    ['', 3, `Nothing was loaded from ${directory}. It is a folder. Name a file.`],
  ] as const) {
    const refused = await merlondHere(['scan', 'import', join(directory, name), ...common], settings);
    assert.deepEqual([refused.code, refused.stderr.includes(message)], [code, true], refused.stderr);
  }
  const policies = await merlondHere(['policy', 'apply', directory, '--workspace', 'acme'], settings);
  assert.deepEqual(
    [policies.code, policies.stderr.includes(`The path ${directory} is a folder. Name a file.`)],
    [3, true],
    policies.stderr,
  );
});

describe('vulnerability merge and split', () => {
  const inAcme = ['--workspace', 'acme', '--reason', 'one library'];
  const ids: Record<string, { vulnerability: string; locations: string[] }> = {};

  before(async () => {
    const packages = [
      { id: 'CVE-2031-1', name: 'first', version: '1.0.0' },
      { id: 'CVE-2031-1', name: 'first', version: '1.0.0', path: 'web/package-lock.json' },
      { id: 'CVE-2031-2', name: 'second', version: '1.0.0' },
    ];
    const importReport = (repo: string, name: string, results: typeof packages) =>
      json('scan', 'import', file(name, trivy(results)), '--workspace', 'acme', '--repo', repo);
    await importReport('acme/corrected', 'corrected.json', packages);
    await importReport('acme/elsewhere', 'elsewhere.json', [
      { id: 'CVE-2031-3', name: 'third', version: '1.0.0' },
    ]);
    const { rows } = await database.owner.query<{
      title: string;
      id: VulnerabilityId;
      locations: LocationId[];
    }>(
      `select v.title, v.id, array_agg(l.id) as locations
         from vulnerability v join vulnerability_location l on l.tenant_id = v.tenant_id and l.vulnerability_id = v.id
        where v.title like '%CVE-2031-%' group by v.id, v.title`,
    );
    for (const { title, id, locations } of rows) {
      ids[title.split(':')[0] ?? ''] = {
        vulnerability: formatId('vulnerability', id),
        locations: locations.map((location) => formatId('location', location)),
      };
    }
  });

  const idsOf = (name: string) => ids[name] ?? assert.fail(`there is no vulnerability in ${name}`);
  const refused = async (code: number, message: RegExp, ...args: string[]) => {
    const ended = await merlondHere(['vulnerability', ...args], settings);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, message);
  };

  test('an id that is not there, or is of another repository, is refused with 3', async () => {
    const { vulnerability, locations } = idsOf('first');
    const unknown = [formatId('vulnerability', newId()), formatId('location', newId())] as const;
    const notFound = /^merlond: Nothing has this id or name\.$/m;
    await refused(3, notFound, 'merge', vulnerability, unknown[0], ...inAcme);
    await refused(3, notFound, 'merge', 'no-id', vulnerability, ...inAcme);
    await refused(3, notFound, 'split', vulnerability, unknown[1], ...inAcme);
    await refused(3, notFound, 'split', vulnerability, ...idsOf('second').locations, ...inAcme);
    const elsewhere = idsOf('third').vulnerability;
    const another = /^merlond: Must be vulnerabilities of the same repository\.$/m;
    await refused(3, another, 'merge', vulnerability, elsewhere, ...inAcme);
    const all = /^merlond: Must leave at least one location: /m;
    await refused(3, all, 'split', vulnerability, ...locations, ...inAcme);
    const nowhere = ['--workspace', 'nowhere', '--reason', 'x'];
    await refused(3, /nowhere/, 'merge', vulnerability, elsewhere, ...nowhere);
    await refused(3, /nowhere/, 'split', vulnerability, ...locations, ...nowhere);
  });

  test('a call without a reason, a workspace or a second id ends with exit code 2', async () => {
    const { vulnerability, locations } = idsOf('first');
    for (const [name, id] of [
      ['merge', idsOf('second').vulnerability],
      ['split', locations[0] ?? ''],
    ] as const) {
      await refused(2, /--reason/, name, vulnerability, id, '--workspace', 'acme');
      await refused(2, /--workspace/, name, vulnerability, id, '--reason', 'x');
      await refused(2, /missing required argument/, name, vulnerability, ...inAcme);
    }
  });

  test('a merge prints the id that remains, a split prints the new id, and both end with exit code 0', async () => {
    const { vulnerability, locations } = idsOf('first');
    const split = await json('vulnerability', 'split', vulnerability, locations[0] ?? '', ...inAcme);
    assert.match(String(split.id), /^vc_/);
    assert.notEqual(split.id, vulnerability);
    for (const _ of ['merged', 'merged already']) {
      const merged = await json('vulnerability', 'merge', vulnerability, String(split.id), ...inAcme);
      assert.deepEqual(merged, { id: vulnerability });
    }
  });
});

test('help, a wrong setting and a wrong command have their exit codes', async () => {
  const help = await merlondHere(['key', 'create', '--help'], settings);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /Examples:/);
  const setting = await merlondHere(['workspace', 'list'], { ...settings, MERLON_PORT: '99999' });
  assert.equal(setting.code, 2);
  assert.match(setting.stderr, /MERLON_PORT=99999: Must be an integer from 0 to 65535\./);
  const unknown = await merlondHere(['workspace', 'list'], { ...settings, MERLON_PROT: '1' });
  assert.match(unknown.stderr, /There is no setting MERLON_PROT: correct or remove it/);
  assert.equal((await merlondHere(['wrokspace'], settings)).code, 2);
});

test('settings come from files that --settings names, and a variable that is set wins', async () => {
  const file = join(createDirectory(), 'merlon.env');
  writeFileSync(file, '# of the service\nMERLON_MAX_NESTING=1\n');
  const read = (args: string[], environment = {}) =>
    merlond([...args, 'workspace', 'list'], { ...settings, ...environment });
  const wrong = await read(['--settings', file]);
  assert.deepEqual([wrong.code, /MERLON_MAX_NESTING=1: Must be/.test(wrong.stderr)], [2, true], wrong.stderr);
  const set = await read([`--settings=${file}`], { MERLON_MAX_NESTING: '50' });
  assert.equal(set.code, 0, set.stderr);
  const missing = await read(['--settings', '/nowhere/merlon.env']);
  assert.deepEqual(
    [
      missing.code,
      /\/nowhere\/merlon\.env of --settings cannot be read: it does not exist\./.test(missing.stderr),
    ],
    [2, true],
  );
  assert.match(
    (await merlond(['--settings'], settings)).stderr,
    /The option --settings needs the name of a file after it\./,
  );
});

test('intel import shows what is loaded and changed, and refuses wrong files', async () => {
  const kev = file('kev.json', {
    catalogVersion: '2026.02.01',
    dateReleased: '2026-02-01T12:00:00Z',
    count: 1,
    vulnerabilities: [
      {
        cveID: 'CVE-2020-8203',
        vendorProject: 'Lodash',
        product: 'Lodash',
        vulnerabilityName: 'Prototype Pollution',
        dateAdded: '2026-02-01',
        dueDate: '2026-02-22',
        knownRansomwareCampaignUse: 'Unknown',
      },
    ],
  });
  const epss = file(
    'epss.csv',
    '#model_version:v1,score_date:2026-02-01T00:00:00+0000\ncve,epss,percentile\nCVE-2020-8203,0.5,0.9\n',
  );
  const { vulnerabilities_reconciled: reconciled, ...loaded } = await json(
    'intel',
    'import',
    '--kev',
    kev,
    '--epss',
    epss,
  );
  assert.equal(typeof reconciled, 'number');
  const releases = loaded as { kev: Record<string, unknown>; epss: Record<string, unknown> };
  assert.deepEqual(
    [
      releases.kev.version,
      releases.kev.entries,
      releases.epss.version,
      releases.epss.entries,
      loaded.changes,
    ],
    ['2026.02.01', 1, 'v1', 1, { added: 1, removed: 0, updated: 0 }],
  );
  const again = await merlondHere(['intel', 'import', '--kev', kev], settings);
  assert.match(again.stderr, /loaded already/);
  const wrong = await merlondHere(['intel', 'import', '--kev', epss], settings);
  assert.deepEqual(
    [wrong.code, /epss\.csv\. This is not CISA's/.test(wrong.stderr)],
    [2, true],
    wrong.stderr,
  );
  assert.equal((await merlondHere(['intel', 'import', '--epss', `${epss}.none`], settings)).code, 3);
  const inside = await merlondHere(['intel', 'import', '--epss', directory], settings);
  assert.deepEqual([inside.code, /is not a file/.test(inside.stderr)], [3, true], inside.stderr);
  assert.equal((await merlondHere(['intel', 'import'], settings)).code, 2);
});

test('intel import names the records that are left out because they are unclear', async () => {
  const record = file('unclear.json', osvRecord('GHSA-dddd-eeee-ffff', { withdrawn: '2024-05-01' }));
  const { code, stderr } = await merlondHere(['intel', 'import', '--osv', record], settings);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^OSV: 1 records were left out, .*, such as \S+unclear\.json; the loaded ones stay$/m);
  assert.doesNotMatch(stderr, /are no records/);
});

test('intel import and intel match go on after an error in one workspace, name it, and end with 1', async () => {
  const list = file('packages.json', bom([{ purl: 'pkg:npm/left@1.0.0' }]));
  for (const slug of ['fails', 'works']) {
    await json('workspace', 'create', slug, '--name', slug);
    await json('scan', 'import', list, '--workspace', slug, '--repo', 'acme/shop', '--ref', 'main');
  }
  await database.owner.query(`
    create function refuse_match() returns trigger language plpgsql as $$ begin
      if coalesce(new.tenant_id, old.tenant_id) = (select id from tenant where slug = 'fails')
      then raise exception 'refused'; end if;
      return coalesce(new, old); end $$`);
  const record = file('GHSA-aaaa-bbbb-cccc.json', osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0']] }));
  for (const [action, command] of [
    ['delete', ['import', '--osv', record]],
    ['insert', ['match']],
  ] as const) {
    await database.owner.query(
      `create trigger refuse_match before ${action} on package_to_match for each row execute function refuse_match()`,
    );
    const { code, stdout, stderr } = await merlondHere(['intel', ...command, '--json'], settings);
    await database.owner.query('drop trigger refuse_match on package_to_match');
    const { matched } = JSON.parse(stdout) as { matched: { workspace: string; references: number }[] };
    const referencesOf = (slug: string) => matched.find(({ workspace }) => workspace === slug)?.references;
    assert.deepEqual([referencesOf('fails'), referencesOf('works')], [undefined, 1], stderr);
    assert.match(stderr, /^fails: refused$/m);
    assert.match(stderr, /has failed in these workspaces, and the rest is done: fails\.$/m);
    assert.equal(code, 1);
  }
});
