/** The one list of formats. */

import leven from 'leven';
import { asff } from './asff/asff.ts';
import { awsInspector } from './aws-inspector.ts';
import { bandit } from './bandit.ts';
import { blackDuck } from './black-duck/black-duck.ts';
import { brakeman } from './brakeman.ts';
import { bundlerAudit } from './bundler-audit.ts';
import { burp } from './burp.ts';
import { cargoAudit } from './cargo-audit.ts';
import { checkmarx } from './checkmarx/checkmarx.ts';
import { checkov } from './checkov/checkov.ts';
import { csaf } from './csaf/csaf.ts';
import { cyclonedx } from './cyclonedx/cyclonedx.ts';
import { defectdojoGeneric } from './defectdojo-generic/defectdojo-generic.ts';
import { dependencyCheck } from './dependency-check/dependency-check.ts';
import { dependencyTrack } from './dependency-track.ts';
import type { Format } from './format.ts';
import { fortify } from './fortify/fortify.ts';
import { githubCodeScanning } from './github/code-scanning.ts';
import { githubDependabot } from './github/dependabot.ts';
import { githubSecretScanning } from './github/secret-scanning.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { gitleaks } from './gitleaks.ts';
import { gosec } from './gosec.ts';
import { govulncheck } from './govulncheck/govulncheck.ts';
import { grype } from './grype.ts';
import { kubeBench } from './kube-bench.ts';
import { kubescape } from './kubescape.ts';
import { mobsf } from './mobsf/mobsf.ts';
import { nessus } from './nessus/nessus.ts';
import { nmap } from './nmap.ts';
import { npmAudit } from './npm-audit.ts';
import { nuclei } from './nuclei.ts';
import { ocsf } from './ocsf/ocsf.ts';
import { openvex } from './openvex.ts';
import { osvScanner } from './osv-scanner/osv-scanner.ts';
import { pipAudit } from './pip-audit.ts';
import { pnpmAudit } from './pnpm-audit.ts';
import { ReportError } from './report.ts';
import { rustyHog } from './rusty-hog.ts';
import { sarif } from './sarif/sarif.ts';
import { semgrep } from './semgrep/semgrep.ts';
import { snyk } from './snyk/snyk.ts';
import { sonarqube } from './sonarqube/sonarqube.ts';
import { spdx } from './spdx/spdx.ts';
import { tfsec } from './tfsec.ts';
import { trivy } from './trivy/trivy.ts';
import { trivyOperator } from './trivy-operator/trivy-operator.ts';
import { trufflehog } from './trufflehog.ts';
import { veracode } from './veracode/veracode.ts';
import { xray } from './xray/xray.ts';
import { yarnAudit } from './yarn-audit.ts';
import { zap } from './zap/zap.ts';

/**
 * The first format that recognises a document reads it. Each recognises its own reports alone, so the order decides
 * nothing.
 */
export const formats: readonly Format[] = [
  sarif,
  trivy,
  asff,
  awsInspector,
  bandit,
  blackDuck,
  brakeman,
  bundlerAudit,
  burp,
  cargoAudit,
  checkmarx,
  checkov,
  defectdojoGeneric,
  dependencyTrack,
  fortify,
  githubCodeScanning,
  githubDependabot,
  githubSecretScanning,
  gitlab,
  gitleaks,
  gosec,
  govulncheck,
  grype,
  kubeBench,
  kubescape,
  mobsf,
  nessus,
  nmap,
  npmAudit,
  nuclei,
  ocsf,
  osvScanner,
  pipAudit,
  pnpmAudit,
  rustyHog,
  semgrep,
  snyk,
  sonarqube,
  tfsec,
  trivyOperator,
  trufflehog,
  veracode,
  xray,
  yarnAudit,
  zap,
  csaf,
  cyclonedx,
  dependencyCheck,
  openvex,
  spdx,
];

/** Finds a format by name, in any case. Throws a ReportError that suggests the nearest name. */
export function getFormat(name: string): Format {
  const wanted = name.toLowerCase();
  const format = formats.find((candidate) => candidate.name === wanted);
  if (format !== undefined) return format;
  const names = formats.map((candidate) => candidate.name);
  const nearest = names.toSorted((a, b) => leven(wanted, a) - leven(wanted, b))[0] ?? '';
  throw new ReportError(
    'UNKNOWN_FORMAT',
    `There is no such format; the nearest is ${nearest}. The formats are auto, ${names.join(', ')}.`,
  );
}
