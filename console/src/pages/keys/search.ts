import { list, oneOf, searchOf, text } from '../../search.ts';

export const keysSearch = searchOf({
  /** The dialog that makes a key is open. */
  new: oneOf('yes'),
  kind: oneOf('personal', 'workspace'),
  status: list,
  q: text,
  key: text,
});
