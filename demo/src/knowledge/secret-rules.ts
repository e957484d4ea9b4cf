/**
 * The secret rules of Trivy and Gitleaks that the demo uses, with each tool's name for them.
 *
 * There is no secret here and no pattern of one. The reports show masked values, or a dummy that is marked as one.
 */
import type { TrivySeverity } from './advisories.ts';
import { optionalCell, readTable } from './table.ts';

export interface SecretRule {
  kind: string;
  /** Trivy's rule id; null if Trivy has no such rule. */
  trivyId: string | null;
  category: string;
  severity: TrivySeverity;
  title: string;
  gitleaksId: string;
  gitleaksDescription: string;
}

const table = `
aws-key | aws-access-key-id | AWS | CRITICAL | AWS Access Key ID | aws-access-token | Identified a pattern that may indicate AWS credentials, risking unauthorized cloud resource access and data breaches on AWS platforms.
aws-secret | aws-secret-access-key | AWS | CRITICAL | AWS Secret Access Key | generic-api-key | Detected a Generic API Key, potentially exposing access to various services and sensitive operations.
stripe | stripe-secret-token | Stripe | CRITICAL | Stripe Secret Key | stripe-access-token | Found a Stripe Access Token, posing a risk to payment processing services and sensitive financial data.
github | github-pat | GitHub | CRITICAL | GitHub Personal Access Token | github-pat | Uncovered a GitHub Personal Access Token, potentially leading to unauthorized repository access and sensitive content exposure.
slack-hook | slack-web-hook | Slack | MEDIUM | Slack Webhook | slack-webhook-url | Discovered a Slack Webhook, which could lead to unauthorized message posting and data leakage in Slack channels.
private-key | private-key | AsymmetricPrivateKey | HIGH | Asymmetric Private Key | private-key | Identified a Private Key, which may compromise cryptographic security and sensitive data encryption.
jwt | jwt-token | JWT | MEDIUM | JWT token | jwt | Uncovered a JSON Web Token, which may lead to unauthorized access to web applications and sensitive user data.
generic | - | - | MEDIUM | Generic API Key | generic-api-key | Detected a Generic API Key, potentially exposing access to various services and sensitive operations.
`;

const keys = [
  'kind',
  'trivyId',
  'category',
  'severity',
  'title',
  'gitleaksId',
  'gitleaksDescription',
] as const;

export const secretRules: readonly SecretRule[] = readTable(keys, table).map((row) => ({
  ...row,
  trivyId: optionalCell(row.trivyId),
  severity: row.severity as TrivySeverity,
}));

/** The rule of one kind of secret. An unknown kind is a mistake in the demo. */
export function getSecretRule(kind: string): SecretRule {
  const rule = secretRules.find((candidate) => candidate.kind === kind);
  if (rule === undefined) throw new Error(`no such secret rule: ${kind}`);
  return rule;
}
