/** The dialog for decisions about one vulnerability or many. */
import { Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import type { Decided, Decision, Resolution, TriageAction } from '../../api/triage.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { dayIn, EndDate, endOf, usualExceptionDays } from '../../components/end-date.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { ConflictAlert } from './conflict-alert.tsx';
import { resolutionLabel, vulnerabilityCount } from './labels.ts';
import { PolicyWarning, useBlocked } from './policy-warning.tsx';
import { type Target, withVersions } from './targets.ts';
import { actionLabels, triageActions } from './triage-labels.ts';
import { changedSince, isConflict, useDecide } from './use-acts.ts';

export interface TriageRequest {
  targets: Target[];
  action: TriageAction;
  reason?: string;
  resolution?: Resolution;
  /** A day such as `2026-05-04`. */
  until?: string;
}

interface TriageDialogProps {
  /** Null means closed. */
  request: TriageRequest | null;
  onClose: () => void;
  onDone: (decided: Decided[]) => void;
}

export function TriageDialog({ request, onClose, onDone }: TriageDialogProps) {
  return (
    <Modal opened={request !== null} onClose={onClose} title={titleOf(request?.targets ?? [])} size="lg">
      {request && <TriageForm request={request} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

function titleOf(targets: Target[]): string {
  return targets.length === 1 ? 'Triage' : `Triage ${vulnerabilityCount(targets.length)}`;
}

function TriageForm({ request, onClose, onDone }: TriageDialogProps & { request: TriageRequest }) {
  const workspace = useWorkspace();
  const [targets, setTargets] = useState(request.targets);
  const [action, setAction] = useState(request.action);
  const [reason, setReason] = useState(request.reason ?? '');
  const [resolution, setResolution] = useState(request.resolution);
  const [until, setUntil] = useState(() => request.until ?? dayIn(usualExceptionDays));
  const { mutate, error, isPending } = useDecide(workspace.slug, onDone);
  const { label, needsReason, resolutions } = actionLabels[action];
  const blocked = useBlocked(needsReason && !workspace.may('admin') ? targets : []);
  const submit = () =>
    mutate(
      { decision: decisionOf({ action, reason, resolution, until }), targets },
      { onError: (refused) => setTargets(withVersions(targets, changedSince(refused, targets))) },
    );
  return (
    <DialogForm
      action={blocked === 'surely' ? `Request: ${label.toLowerCase()}` : label}
      onSubmit={submit}
      onCancel={onClose}
      isPending={isPending}
      error={isConflict(error) ? null : error}
      fields={[
        'reason',
        ...(resolutions.length > 0 ? ['resolution'] : []),
        ...(action === 'accept' ? ['until'] : []),
      ]}
    >
      {targets.length === 1 && (
        <Text size="sm" fw={600} className="break" lineClamp={3}>
          <ReportText>{targets[0]?.title ?? ''}</ReportText>
        </Text>
      )}
      {isConflict(error) && <ConflictAlert changed={changedSince(error, targets)} />}
      <Radio.Group
        label="Decision"
        value={action}
        onChange={(value) => {
          setAction(value as TriageAction);
          setResolution(undefined);
        }}
      >
        <Stack gap={6} mt={6}>
          {triageActions
            .filter((one) => canDo(one, targets))
            .map((one) => (
              <Radio
                key={one}
                value={one}
                label={actionLabels[one].label}
                description={actionLabels[one].meaning}
                {...(one === action ? { 'data-autofocus': true } : {})}
              />
            ))}
        </Stack>
      </Radio.Group>
      {resolutions.length > 0 && (
        <Radio.Group
          label="Because"
          value={resolution ?? resolutions[0] ?? ''}
          onChange={(value) => setResolution(value as Resolution)}
          error={fieldError(error, 'resolution')}
        >
          <Group gap="lg" mt={6}>
            {resolutions.map((one) => (
              <Radio key={one} value={one} label={resolutionLabel(one)} />
            ))}
          </Group>
        </Radio.Group>
      )}
      {action === 'accept' && (
        <EndDate
          label="Until"
          description="Open again after that day."
          isOptional
          value={until}
          onChange={setUntil}
          error={error}
        />
      )}
      <ReasonField
        description="Recorded in the history."
        isOptional={!needsReason}
        value={reason}
        onChange={setReason}
        error={error}
      />
      {blocked && <PolicyWarning blocked={blocked} />}
    </DialogForm>
  );
}

// Only a person's decision can be removed.
function canDo(action: TriageAction, targets: Target[]): boolean {
  return action !== 'reopen' || targets.some(({ status }) => status !== 'open' && status !== 'fixed');
}

interface Chosen {
  action: TriageAction;
  reason: string;
  resolution: Resolution | undefined;
  /** A day such as `2026-05-04`. */
  until: string;
}

function decisionOf({ action, reason, resolution, until }: Chosen): Decision {
  return {
    action,
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(resolution === undefined ? {} : { resolution }),
    ...(action === 'accept' && until !== '' ? { until: endOf(until) } : {}),
  };
}
