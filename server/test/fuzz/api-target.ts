/** A server with two filled workspaces, and all callers of the first one. */
import type { UserId } from '../../src/domain/ids.ts';
import { clientOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import {
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
  type TestWorkspace,
} from '../support/workspace.ts';

/** A word in every text of the other workspace, and in no request. */
export const foreignMarker = 'zebrafish';

export interface Caller {
  name: string;
  headers: Record<string, string>;
}

export interface ApiTarget {
  server: TestServer;
  workspace: TestWorkspace;
  slug: string;
  callers: Caller[];
  /** An admin by key and at the console, so that one of them may call any operation. */
  admins: Caller[];
  foreignAdmins: Caller[];
  /** Ids of both workspaces, which are known to exist. */
  ids: string[];
  /** Ids of the first workspace alone. */
  ownIds: string[];
}

const keyOf = (key: string) => ({ authorization: `Bearer ${key}` });

export async function openApiTarget(): Promise<ApiTarget> {
  const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
  const workspace = await fill(server, 'acme', 'lodash');
  const other = await fill(server, 'other', foreignMarker);
  const { people, tenant } = workspace;
  const roles = (['admin', 'member', 'viewer'] as const).map((role) => ({
    name: role,
    headers: keyOf(people[role].key),
  }));
  const session = await sessionsOf(server, people.admin.user.id);
  const service = await createTestWorkspaceKey(server, tenant, 'admin');
  const callers = [
    ...roles,
    session,
    session,
    { name: 'workspace key', headers: keyOf(service.key) },
    { name: 'nobody', headers: {} },
    { name: 'nonsense', headers: keyOf(`mrl_pat_${'a'.repeat(46)}`) },
  ];
  const ownIds = await idsOf(server, workspace, 'acme');
  const foreignSession = await sessionsOf(server, other.people.admin.user.id);
  return {
    server,
    workspace,
    slug: 'acme',
    callers,
    admins: callers.filter(({ name }, i) => name === 'admin' || i === 3),
    foreignAdmins: [{ name: 'foreign admin', headers: keyOf(other.people.admin.key) }, foreignSession],
    ids: [...ownIds, ...(await idsOf(server, other, 'other'))],
    ownIds,
  };
}

// A session has 600 requests a minute, whatever the limit of keys is. A person has at most twenty sessions.
const sessions = 15;

/** A person at the console, with another session for each request. */
async function sessionsOf(server: TestServer, userId: UserId): Promise<Caller> {
  const signedIn = await Promise.all(Array.from({ length: sessions }, () => signInAs(server, userId)));
  let turn = 0;
  return {
    name: 'session',
    get headers() {
      return signedIn[turn++ % sessions]?.headers ?? {};
    },
  };
}

async function fill(server: TestServer, slug: string, word: string): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace(server, slug);
  const code = [1, 2, 3].map((n) => ({
    rule: `rule-${n}`,
    title: `${word} ${n}`,
    path: `src/${word}.ts`,
    line: n,
    code: `${word}(${n})`,
  }));
  const repository = slug === 'acme' ? 'acme/shop' : `other/${word}`;
  const packages = [1, 2, 3].map((n) => ({
    id: `CVE-2030-${n}`,
    package: `${word}-${n}`,
    severity: 'CRITICAL' as const,
  }));
  await importAll(server, slug, [
    reportInput(trivyReport({ packages }), { repository }),
    reportInput(codeReport(code), { repository, ref: 'feature/x' }),
    reportInput(trivyReport({ packages }), { repository: `${word}/second` }),
    reportInput(
      secretReport([{ rule: 'garden', title: word, path: `${word}.yml`, secret: 'gdn-not-a-real-token-1' }]),
      { repository },
    ),
  ]);
  return workspace;
}

/** Ids in the lists of a workspace, except those of people and keys, because removing these would end the requests. */
async function idsOf(server: TestServer, { people }: TestWorkspace, slug: string): Promise<string[]> {
  const client = clientOf(server.app, people.admin.key);
  const repository = slug === 'acme' ? 'acme/shop' : `other/${foreignMarker}`;
  const lists = [
    'vulnerabilities',
    'repositories',
    'organizations',
    'scans',
    `references?repo=${repository}`,
    'tenants',
  ];
  const paths = [...lists.map((list) => `/api/v1/${slug}/${list}`), `/manage/v1/${slug}/scan-series`];
  const answers = await Promise.all(paths.map((path) => client.get(path)));
  const found = answers.flatMap(({ text }) => text.match(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g) ?? []);
  return [...new Set(found)].filter((id) => !/^(?:usr|pat|key|wsk)_/.test(id)).slice(0, 100);
}
