/** Revokes a key for ever, so the person must type its name. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, keysKey, revokeKey } from '../../api/keys.ts';
import { ConfirmTyped } from '../../components/confirm-typed.tsx';
import { notifyDone, notifyError } from '../../components/notify.tsx';
import { TimeText } from '../../components/time-text.tsx';

interface RevokeKeyProps {
  slug: string;
  apiKey: ApiKey;
  opened: boolean;
  onClose: () => void;
}

export function RevokeKey({ slug, apiKey, opened, onClose }: RevokeKeyProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => revokeKey(slug, apiKey),
    onSuccess: async () => {
      onClose();
      notifyDone(`The key ${apiKey.name} is revoked.`);
      await queryClient.invalidateQueries({ queryKey: keysKey });
    },
    onError: notifyError,
  });
  return (
    <ConfirmTyped
      opened={opened}
      onClose={onClose}
      title="Revoke the key"
      name={apiKey.name}
      action="Revoke permanently"
      pending={isPending}
      onConfirm={() => mutate()}
    >
      Within a second, everything that uses the key is refused. This is permanent: a revoked key cannot be
      restored.{' '}
      {apiKey.last_used_at === null ? (
        'It has not been used.'
      ) : (
        <>
          It was last used <TimeText value={apiKey.last_used_at} />.
        </>
      )}
    </ConfirmTyped>
  );
}
