/** A mutation that a `DialogForm` submits. Its `form` is spread over that form. */
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';

export function useFormMutation<Result>(options: UseMutationOptions<Result>) {
  const { mutate, error, isPending } = useMutation(options);
  return { error, form: { onSubmit: () => mutate(), isPending, error } };
}
