/** The objects that admins manage in a canary workspace: a key, and enough of each kind that requests use up. */

import { invite } from '../../access/members/invitations.ts';
import { addMember } from '../../access/members/service.ts';
import { createSavedView } from '../../access/saved-views/service.ts';
import { createTrustRule } from '../../access/trust-rules/service.ts';
import type { TrustRuleFields } from '../../access/trust-rules/store.ts';
import { createUser } from '../../access/users/service.ts';
import { installTx, tenantTx } from '../../db/database.ts';
import { githubIssuer } from '../../domain/ci-providers.ts';
import { formatId } from '../../domain/ids.ts';
import { createApplication } from '../../inventory/applications/service.ts';
import { createTeam } from '../../inventory/teams/team-service.ts';
import type { TrackerInput } from '../../notifications/issues/tracker-input.ts';
import { createTracker } from '../../notifications/issues/tracker-service.ts';
import { networksOf } from '../../notifications/outbound/public-address.ts';
import type { WebhookInput } from '../../notifications/webhooks/webhook-input.ts';
import { createWebhook, withDefaults } from '../../notifications/webhooks/webhook-service.ts';
import {
  type CanaryWorkspace,
  createCanaryKey,
  createCanaryWorkspaceKey,
  principalAs,
} from './canary-workspace.ts';
import type { Install } from './install.ts';

export interface ManagedObjects {
  /** These are API ids. */
  workspaceKey: string;
  /** A personal key of the admin. */
  ownKey: string;
  /** Each list has as many objects as one walk uses up. */
  invitations: string[];
  leavers: string[];
  spareApplications: string[];
  savedViews: string[];
  teams: string[];
  trustRules: string[];
  webhooks: string[];
  issueTrackers: string[];
}

const pool = 12;

/** A rule that no token of a real run satisfies. */
function trustRuleOf(slug: string, number: number): TrustRuleFields {
  return {
    name: `Rule ${number} of ${slug}`,
    provider: 'github',
    issuer: githubIssuer,
    audience: `https://${slug}.example`,
    claims: { repository_id: '0' },
  };
}

/** A disabled receiver whose host does not exist: a canary must send nothing. */
function webhookOf(slug: string, number: number): WebhookInput {
  return withDefaults({
    name: `Webhook ${number} of ${slug}`,
    url: `https://${slug}.invalid/${number}`,
    enabled: false,
  });
}

/** A disabled tracker whose host does not exist. */
function trackerOf(slug: string, number: number): TrackerInput {
  return {
    name: `Tracker ${number} of ${slug}`,
    kind: 'gitlab',
    url: `https://${slug}.invalid`,
    project: `${slug}/shop`,
    token: 'none',
    enabled: false,
  };
}

export async function createManagedObjects(
  server: Install,
  workspace: CanaryWorkspace,
): Promise<ManagedObjects> {
  const { tenant, people } = workspace;
  const { slug } = tenant;
  const actor = { actorId: people.admin.user.id };
  const rules = { secret: server.secret, allowed: networksOf([]), allowsHttp: false };
  const admin = principalAs(workspace, 'admin');
  const { id: workspaceKey } = await createCanaryWorkspaceKey(server, tenant, 'viewer');
  const { id: ownKey } = await createCanaryKey(server, { userId: people.admin.user.id, role: 'admin' });
  const things: ManagedObjects = {
    workspaceKey: formatId('key', workspaceKey),
    ownKey: formatId('key', ownKey),
    invitations: [],
    leavers: [],
    spareApplications: [],
    savedViews: [],
    teams: [],
    trustRules: [],
    webhooks: [],
    issueTrackers: [],
  };
  for (let i = 0; i < pool; i++) {
    const user = await installTx(server.db, (tx) =>
      createUser(tx, `leaver-${i}@${slug}.example`, `Leaver ${i}`, null),
    );
    await tenantTx(server.db, tenant.id, async (tx) => {
      await addMember(tx, user.id, 'viewer');
      const guest = { email: `guest-${i}@${slug}.example`, role: 'viewer' } as const;
      const { invitation } = await invite(tx, admin, guest);
      const fields = { name: `Spare ${i}`, description: null, owner: null, product: false };
      const { application } = await createApplication(tx, admin, fields);
      const view = {
        name: `View ${i} of ${slug}`,
        page: 'vulnerabilities',
        query: 'q=x',
        shared: true,
      } as const;
      const saved = await createSavedView(tx, admin, view);
      const rule = await createTrustRule(tx, admin, trustRuleOf(slug, i), [githubIssuer]);
      const webhook = await createWebhook(tx, actor, webhookOf(slug, i), rules);
      const team = await createTeam(tx, actor, {
        name: `Team ${i} of ${slug}`,
        owner_names: [`@${slug}/team-${i}`],
        members: [formatId('user', user.id)],
        groups: [`group-${i}-of-${slug}`],
      });
      things.teams.push(formatId('team', team.team.id));
      const tracker = await createTracker(tx, actor, trackerOf(slug, i), rules);
      things.issueTrackers.push(formatId('issueTracker', tracker.row.id));
      things.webhooks.push(formatId('webhook', webhook.row.id));
      things.trustRules.push(formatId('trustRule', rule.id));
      things.savedViews.push(formatId('savedView', saved.id));
      things.leavers.push(formatId('user', user.id));
      things.invitations.push(formatId('invitation', invitation.id));
      things.spareApplications.push(formatId('application', application.id));
    });
  }
  return things;
}
