/** The dialog that creates a trust rule. The fields depend on the chosen provider. */
import { Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldError } from '../../api/errors.ts';
import { type CiProvider, trustRulesQuery } from '../../api/trust-rules.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NameField } from '../../components/name-field.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';
import { idLabels, providerLabels } from './trust-rule-labels.ts';

interface CreateTrustRuleProps {
  issuers: string[];
  opened: boolean;
  onClose: () => void;
}

export function CreateTrustRule(props: CreateTrustRuleProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="New trust rule">
      <Fields {...props} />
    </Modal>
  );
}

function Fields({ issuers, onClose }: CreateTrustRuleProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [issuer, setIssuer] = useState(issuers[0] ?? '');
  const [provider, setProvider] = useState<CiProvider>(providerOf(issuer));
  const [claim, setClaim] = useState(idLabels[provider][0].claim);
  const [id, setId] = useState('');
  const [others, setOthers] = useState('');
  const [audience, setAudience] = useState(location.origin);
  const idLabel = idLabels[provider].find((known) => known.claim === claim) ?? idLabels[provider][0];
  const choose = (to: CiProvider) => {
    setProvider(to);
    setClaim(idLabels[to][0].claim);
  };
  const { form, error } = useFormMutation({
    mutationFn: () =>
      api.createTrustRule({
        path: { tenant_slug: slug },
        body: {
          name,
          provider,
          issuer,
          audience,
          claims: { ...claimsOf(others), [idLabel.claim]: id.trim() },
        },
      }),
    onSuccess: async (rule) => {
      onClose();
      notifyDone(`The rule ${rule.name} is made.`);
      await queryClient.invalidateQueries({ queryKey: trustRulesQuery(slug).queryKey });
    },
  });
  // Both fields are claims, so the text of the error says which of them is wrong.
  const claimsError = fieldError(error, 'claims');
  const isOfId = claimsError?.toLowerCase().startsWith(`${idLabel.claim} `) ?? false;
  return (
    <DialogForm
      action="Create"
      {...form}
      onCancel={onClose}
      fields={['name', 'issuer', 'audience', 'claims']}
    >
      <NameField value={name} onChange={setName} error={error} />
      <NativeSelect
        label="Issuer"
        description="The operator of the server sets the list."
        value={issuer}
        onChange={(event) => {
          setIssuer(event.currentTarget.value);
          choose(providerOf(event.currentTarget.value));
        }}
        data={issuers}
        error={fieldError(error, 'issuer')}
      />
      <NativeSelect
        label="Provider"
        value={provider}
        onChange={(event) => choose(event.currentTarget.value as CiProvider)}
        data={choicesOf(providerLabels)}
      />
      <NativeSelect
        label="Runs of"
        value={claim}
        onChange={(event) => setClaim(event.currentTarget.value)}
        data={idLabels[provider].map((known) => ({ value: known.claim, label: known.label }))}
      />
      <RequiredText
        label="Id"
        description={idLabel.hint}
        message="Enter the id, a number."
        maxLength={30}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        refusal={isOfId ? claimsError : undefined}
      />
      <Textarea
        label="Further claims"
        description="One in each line, such as ref=refs/heads/main. A run must meet all of them."
        autosize
        minRows={2}
        maxLength={5_000}
        value={others}
        onChange={(event) => setOthers(event.currentTarget.value)}
        error={isOfId ? undefined : claimsError}
      />
      <TextInput
        label="Audience"
        description="A run asks for a token for this address. merlon asks for its MERLON_URL."
        required
        maxLength={255}
        value={audience}
        onChange={(event) => setAudience(event.currentTarget.value)}
        error={fieldError(error, 'audience')}
      />
    </DialogForm>
  );
}

// The address of a self-hosted server usually contains the provider's name. The person can choose the other provider.
function providerOf(issuer: string): CiProvider {
  return issuer.includes('gitlab') ? 'gitlab' : 'github';
}

/** `claim=value` in each line. A line without a value is sent as it is, so that the server's error names it. */
function claimsOf(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const [claim = '', ...value] = line.split('=');
        return [claim.trim(), value.join('=').trim()];
      }),
  );
}
