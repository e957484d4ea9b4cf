// Generated from the routes of the server by "npm run openapi": do not edit.
/** The allowed values of each query parameter that has such a list, by the operation and its parameter. */
export const queryValues = {
  listRepositories: {
    source: ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'],
  },
  listPackages: {
    vulnerable: ['yes', 'no'],
  },
  listVulnerabilities: {
    scope: ['tracked', 'default_branches', 'all'],
    state: ['open', 'fixed', 'accepted', 'ignored', 'rejected'],
    source: ['current', 'git_history'],
    confirmed: ['yes', 'no'],
    triaged: ['yes', 'no'],
    severity: ['unknown', 'info', 'low', 'medium', 'high', 'critical'],
    type: ['other', 'dependency', 'sast', 'secret', 'iac', 'container', 'dast', 'license', 'malware'],
    fix: ['yes', 'no'],
    exploitable: ['yes'],
    due: ['overdue', 'soon'],
    sort: ['severity', 'newest', 'oldest'],
    include: ['package', 'rule', 'advisory', 'fix', 'assignee', 'team', 'due', 'epss', 'open_on'],
  },
  getVulnerabilityFacets: {
    scope: ['tracked', 'default_branches', 'all'],
    state: ['open', 'fixed', 'accepted', 'ignored', 'rejected'],
    source: ['current', 'git_history'],
    confirmed: ['yes', 'no'],
    triaged: ['yes', 'no'],
    severity: ['unknown', 'info', 'low', 'medium', 'high', 'critical'],
    type: ['other', 'dependency', 'sast', 'secret', 'iac', 'container', 'dast', 'license', 'malware'],
    fix: ['yes', 'no'],
    exploitable: ['yes'],
    due: ['overdue', 'soon'],
  },
  listVulnerabilityGroups: {
    by: ['package', 'rule', 'repository'],
    scope: ['tracked', 'default_branches', 'all'],
    state: ['open', 'fixed', 'accepted', 'ignored', 'rejected'],
    source: ['current', 'git_history'],
    confirmed: ['yes', 'no'],
    triaged: ['yes', 'no'],
    severity: ['unknown', 'info', 'low', 'medium', 'high', 'critical'],
    type: ['other', 'dependency', 'sast', 'secret', 'iac', 'container', 'dast', 'license', 'malware'],
    fix: ['yes', 'no'],
    exploitable: ['yes'],
    due: ['overdue', 'soon'],
  },
  listVulnerabilityLocations: {
    scope: ['live', 'all'],
  },
  listPolicyViolations: {
    status: ['open', 'pending_review', 'waived', 'resolved'],
    enforcement: ['none', 'monitor', 'warn', 'block'],
    target_type: ['vulnerability', 'package', 'package_version', 'manifest', 'analysis', 'provider', 'asset', 'repository'],
  },
  listAllPolicyViolations: {
    status: ['open', 'pending_review', 'waived', 'resolved'],
    enforcement: ['none', 'monitor', 'warn', 'block'],
    target_type: ['vulnerability', 'package', 'package_version', 'manifest', 'analysis', 'provider', 'asset', 'repository'],
    due: ['overdue', 'soon', 'later'],
    snoozed: ['yes', 'no'],
    blocking: ['yes', 'no'],
  },
  getGate: {
    repo_source: ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'],
    all: ['true', 'false'],
  },
  listScans: {
    status: ['queued', 'running', 'completed', 'failed', 'canceled'],
  },
  listScanVulnerabilities: {
    change: ['new', 'fixed'],
  },
  getOverview: {
    scope: ['tracked', 'default_branches', 'all'],
  },
  getStatusReport: {
    by: ['organization', 'application'],
  },
  exportVulnerabilities: {
    format: ['ndjson', 'csv', 'sarif'],
    scope: ['tracked', 'default_branches', 'all'],
    state: ['open', 'fixed', 'accepted', 'ignored', 'rejected'],
    source: ['current', 'git_history'],
    confirmed: ['yes', 'no'],
    triaged: ['yes', 'no'],
    severity: ['unknown', 'info', 'low', 'medium', 'high', 'critical'],
    type: ['other', 'dependency', 'sast', 'secret', 'iac', 'container', 'dast', 'license', 'malware'],
    fix: ['yes', 'no'],
    exploitable: ['yes'],
    due: ['overdue', 'soon'],
    sort: ['severity', 'newest', 'oldest'],
  },
  exportVex: {
    format: ['openvex', 'csaf', 'cyclonedx'],
  },
  listCraNotifications: {
    state: ['open', 'overdue', 'complete', 'not_reportable'],
  },
  exportCraDocument: {
    step: ['early_warning', 'notification', 'final_report'],
  },
  readEvents: {
    types: ['vulnerability.opened', 'vulnerability.fixed', 'vulnerability.reopened', 'vulnerability.status_changed', 'vulnerability.assigned', 'violation.opened', 'violation.due_soon', 'violation.overdue', 'violation.resolved', 'violation.snoozed', 'exception.requested', 'exception.approved', 'exception.refused', 'exception.expiring', 'scan.completed', 'scan.failed', 'scan.closing_held', 'key.created', 'key.expiring', 'key.expired', 'key.revoked', 'advisory.matched'],
  },
  listExceptions: {
    status: ['requested', 'approved', 'refused', 'withdrawn', 'ended'],
  },
  listScanSeries: {
    state: ['held', 'stale', 'replaced'],
  },
  listWebhookDeliveries: {
    status: ['pending', 'delivered', 'failed'],
  },
  listAudit: {
    action: ['advisory_name.forget', 'advisory_name.restore', 'application.change', 'application.cra_notification', 'application.create', 'application.delete', 'application.repositories', 'comment.create', 'comment.delete', 'exception.approve', 'exception.end', 'exception.refuse', 'exception.request', 'exception.withdraw', 'inventory.apply', 'invitation.accept', 'invitation.create', 'invitation.withdraw', 'issue_tracker.change', 'issue_tracker.create', 'issue_tracker.delete', 'key.create', 'key.revoke', 'member.remove', 'member.set', 'policy.change', 'policy.create', 'repository.code_owners', 'repository.default_branch', 'repository.exposed', 'repository.external_id', 'repository.reference', 'repository.rename', 'repository.tracked_branches', 'saved_view.change', 'saved_view.create', 'saved_view.delete', 'series.discard', 'series.release', 'series.retire', 'team.change', 'team.create', 'team.delete', 'trust_rule.create', 'trust_rule.delete', 'user.disable', 'user.email', 'user.enable', 'user.link_identity', 'user.lock_out', 'user.password', 'user.sync_teams', 'user.transfer', 'violation.snooze', 'violation.undo', 'violation.wake', 'vulnerability.accept', 'vulnerability.assign', 'vulnerability.comment', 'vulnerability.confirm', 'vulnerability.create_issue', 'vulnerability.delete_comment', 'vulnerability.ignore', 'vulnerability.merge', 'vulnerability.reject', 'vulnerability.reopen', 'vulnerability.split', 'vulnerability.unassign', 'vulnerability.undo', 'vulnerability.unlink_issue', 'webhook.change', 'webhook.create', 'webhook.delete', 'webhook.replay', 'webhook.rotate_secret', 'workspace.change', 'workspace.create'],
  },
  exportAudit: {
    action: ['advisory_name.forget', 'advisory_name.restore', 'application.change', 'application.cra_notification', 'application.create', 'application.delete', 'application.repositories', 'comment.create', 'comment.delete', 'exception.approve', 'exception.end', 'exception.refuse', 'exception.request', 'exception.withdraw', 'inventory.apply', 'invitation.accept', 'invitation.create', 'invitation.withdraw', 'issue_tracker.change', 'issue_tracker.create', 'issue_tracker.delete', 'key.create', 'key.revoke', 'member.remove', 'member.set', 'policy.change', 'policy.create', 'repository.code_owners', 'repository.default_branch', 'repository.exposed', 'repository.external_id', 'repository.reference', 'repository.rename', 'repository.tracked_branches', 'saved_view.change', 'saved_view.create', 'saved_view.delete', 'series.discard', 'series.release', 'series.retire', 'team.change', 'team.create', 'team.delete', 'trust_rule.create', 'trust_rule.delete', 'user.disable', 'user.email', 'user.enable', 'user.link_identity', 'user.lock_out', 'user.password', 'user.sync_teams', 'user.transfer', 'violation.snooze', 'violation.undo', 'violation.wake', 'vulnerability.accept', 'vulnerability.assign', 'vulnerability.comment', 'vulnerability.confirm', 'vulnerability.create_issue', 'vulnerability.delete_comment', 'vulnerability.ignore', 'vulnerability.merge', 'vulnerability.reject', 'vulnerability.reopen', 'vulnerability.split', 'vulnerability.unassign', 'vulnerability.undo', 'vulnerability.unlink_issue', 'webhook.change', 'webhook.create', 'webhook.delete', 'webhook.replay', 'webhook.rotate_secret', 'workspace.change', 'workspace.create'],
  },
  uploadScan: {
    ref_type: ['branch', 'tag', 'pull_request'],
    source: ['current', 'git_history'],
    partial: ['true', 'false'],
    dry_run: ['true', 'false'],
    force: ['true', 'false'],
    repo_source: ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'],
    private: ['true', 'false'],
  },
  uploadScanByHand: {
    ref_type: ['branch', 'tag', 'pull_request'],
    source: ['current', 'git_history'],
    partial: ['true', 'false'],
    dry_run: ['true', 'false'],
    force: ['true', 'false'],
    repo_source: ['local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'],
    private: ['true', 'false'],
  },
} as const;
