/**
 * Writes a snapshot as SARIF 2.1.0, in the manner of each tool: Semgrep, CodeQL, Gitleaks.
 *
 * It handles only the format. It must never show the value of a secret other than the dummies of the tables.
 */
import { commitSha, longDigest, pickNumber } from './digest.ts';
import {
  type CodeqlRule,
  findCodeqlRule,
  findSemgrepRule,
  type SemgrepRule,
} from './knowledge/code-rules.ts';
import { getSecretRule, secretRules } from './knowledge/secret-rules.ts';
import type { LocatedCode, LocatedSecret, Snapshot } from './snapshot.ts';

/** A Semgrep report; `brokenRow` puts a line of text where a result should be. */
export function writeSemgrep(snapshot: Snapshot, options: { brokenRow: boolean }): string {
  const matches = snapshot.code.flatMap((location) => {
    const rule = findSemgrepRule(location.rule);
    return rule === undefined ? [] : [{ location, rule }];
  });
  const results: unknown[] = matches.map(({ location, rule }) => semgrepResult(location, rule));
  if (options.brokenRow) results.splice(1, 0, 'Fatal error: rule timed out, 1 result not written');
  return log({
    tool: {
      driver: {
        name: 'Semgrep OSS',
        semanticVersion: '1.97.0',
        rules: uniqueById(matches.map(({ rule }) => rule)).map(semgrepRule),
      },
    },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    results,
  });
}

/** A CodeQL report: no level on a result, the severity on its rule, the line's hash as fingerprint. */
export function writeCodeql(snapshot: Snapshot, language: string): string {
  const matches = snapshot.code.flatMap((location) => {
    const rule = findCodeqlRule(location.rule);
    return rule === undefined ? [] : [{ location, rule }];
  });
  const rules = uniqueById(matches.map(({ rule }) => rule));
  const artifacts = [...new Set(matches.map(({ location }) => location.path))];
  return log({
    tool: {
      driver: {
        name: 'CodeQL',
        organization: 'GitHub',
        semanticVersion: '2.19.4',
        rules: rules.map(codeqlRule),
      },
    },
    automationDetails: { id: `.github/workflows/codeql.yml:analyze/language:${language}/` },
    artifacts: artifacts.map((uri, index) => ({ location: { uri, uriBaseId: '%SRCROOT%', index } })),
    results: matches.map(({ location, rule }) =>
      codeqlResult(location, rule, rules.indexOf(rule), artifacts.indexOf(location.path)),
    ),
    columnKind: 'utf16CodeUnits',
    properties: { 'semmle.formatSpecifier': 'sarif-latest' },
  });
}

/** A Gitleaks report with `--redact`. For the history it names the commit that added each secret. */
export function writeGitleaks(
  snapshot: Snapshot,
  options: { history: boolean; seed: number; weekStart: (week: number) => string },
): string {
  const found = snapshot.secrets.filter((secret) => options.history || secret.live);
  return log({
    tool: {
      driver: {
        name: 'gitleaks',
        semanticVersion: 'v8.21.2',
        informationUri: 'https://github.com/gitleaks/gitleaks',
        rules: [...new Set(secretRules.map((rule) => rule.gitleaksId))].map(gitleaksRule),
      },
    },
    results: found.map((secret) => gitleaksResult(secret, snapshot.repository, options)),
  });
}

function log(run: object): string {
  const sarif = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(sarif, null, 1)}\n`;
}

function uniqueById<Rule extends { id: string }>(rules: Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

function semgrepRule(rule: SemgrepRule): object {
  return {
    id: rule.id,
    name: rule.id,
    shortDescription: { text: `Semgrep Finding: ${rule.id}` },
    fullDescription: { text: rule.message },
    help: { text: rule.message },
    helpUri: `https://semgrep.dev/r/${rule.id}`,
    defaultConfiguration: { level: rule.level },
    properties: { precision: 'very-high', tags: [rule.cwe, 'security'] },
  };
}

function semgrepResult(location: LocatedCode, rule: SemgrepRule): object {
  return {
    ruleId: rule.id,
    message: { text: rule.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: location.path, uriBaseId: '%SRCROOT%' },
          region: {
            startLine: location.line,
            startColumn: 5,
            endLine: location.line,
            endColumn: 5 + location.code.length,
            snippet: { text: `    ${location.code}` },
          },
        },
      },
    ],
    // The fingerprint is made like Semgrep's: from the rule, the path and the matched parts. An edit of the rest of the
    // line keeps it.
    fingerprints: { 'matchBasedId/v1': `${longDigest(rule.id, location.path, location.matched)}_0` },
    ...(location.suppressed === null
      ? {}
      : { suppressions: [{ kind: 'inSource', status: 'accepted', justification: location.suppressed }] }),
    properties: {},
  };
}

function codeqlRule(rule: CodeqlRule): object {
  return {
    id: rule.id,
    name: rule.id,
    shortDescription: { text: rule.name },
    fullDescription: { text: rule.name },
    defaultConfiguration: { enabled: true, level: rule.level },
    properties: {
      id: rule.id,
      kind: 'path-problem',
      name: rule.name,
      precision: 'high',
      'problem.severity': rule.level,
      'security-severity': rule.securitySeverity,
      tags: ['security', `external/cwe/cwe-${rule.cwe}`],
    },
  };
}

function codeqlResult(location: LocatedCode, rule: CodeqlRule, ruleIndex: number, artifact: number): object {
  return {
    ruleId: rule.id,
    ruleIndex,
    rule: { id: rule.id, index: ruleIndex },
    message: { text: rule.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: location.path, uriBaseId: '%SRCROOT%', index: artifact },
          region: { startLine: location.line, startColumn: 9, endColumn: 9 + location.code.length },
          contextRegion: {
            startLine: location.line,
            endLine: location.line,
            snippet: { text: `        ${location.code}\n` },
          },
        },
      },
    ],
    partialFingerprints: {
      primaryLocationLineHash: `${commitSha(location.code).slice(0, 16)}:1`,
      primaryLocationStartColumnFingerprint: '8',
    },
  };
}

function gitleaksRule(id: string): object {
  const description = secretRules.find((rule) => rule.gitleaksId === id)?.gitleaksDescription ?? id;
  return { id, shortDescription: { text: description } };
}

function gitleaksResult(
  secret: LocatedSecret,
  repository: string,
  options: { history: boolean; seed: number; weekStart: (week: number) => string },
): object {
  const rule = getSecretRule(secret.kind);
  const shown = secret.value ?? 'REDACTED';
  const startColumn = secret.before.length + 1;
  const author = pickNumber(2, options.seed, repository, secret.path) === 0 ? 'Ida Roth' : 'Jon Vale';
  const commit = {
    commitSha: commitSha(options.seed, repository, secret.path, secret.firstWeek),
    email: `${author.toLowerCase().replace(' ', '.')}@kestrel.example`,
    author,
    date: options.weekStart(secret.firstWeek),
    commitMessage: `Add ${secret.path.slice(secret.path.lastIndexOf('/') + 1)}`,
  };
  return {
    message: {
      text: `${rule.gitleaksId} has detected secret for file ${secret.path}${options.history ? ` at commit ${commit.commitSha}` : ''}.`,
    },
    ruleId: rule.gitleaksId,
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: secret.path },
          region: {
            startLine: secret.line,
            startColumn,
            endLine: secret.line,
            endColumn: startColumn + shown.length,
            snippet: { text: shown },
          },
        },
      },
    ],
    partialFingerprints: options.history
      ? commit
      : { commitSha: '', email: '', author: '', date: '', commitMessage: '' },
    properties: { tags: [] },
  };
}
