/** The commands that do one thing and end. They are loaded together, and only for one of them or for the help. */
import type { Command } from 'commander';
import { addBackupCommands } from './backup.ts';
import { addDoctorCommands } from './doctor.ts';
import { addIntelCommands } from './intel.ts';
import { addInventoryCommands } from './inventory.ts';
import { addIssueTrackerCommands } from './issue-tracker.ts';
import { addKeyCommands } from './key.ts';
import { addMemberCommands } from './member.ts';
import { addPolicyCommands } from './policy.ts';
import { addPruneCommand } from './prune.ts';
import { addReportCommands } from './report.ts';
import { addScanCommands } from './scan.ts';
import { addSecretCommands } from './secret.ts';
import { addSeriesCommands } from './series.ts';
import { addUserCommands } from './user.ts';
import { addVulnerabilityCommands } from './vulnerability.ts';
import { addWebhookCommands } from './webhook.ts';
import { addWorkspaceCommands } from './workspace.ts';

export function addOtherCommands(program: Command): void {
  addWorkspaceCommands(program);
  addUserCommands(program);
  addMemberCommands(program);
  addKeyCommands(program);
  addInventoryCommands(program);
  addIntelCommands(program);
  addPolicyCommands(program);
  addScanCommands(program);
  addReportCommands(program);
  addVulnerabilityCommands(program);
  addSeriesCommands(program);
  addWebhookCommands(program);
  addIssueTrackerCommands(program);
  addBackupCommands(program);
  addPruneCommand(program);
  addSecretCommands(program);
  addDoctorCommands(program);
}
