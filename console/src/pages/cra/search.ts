/** The parameters in the address of the notifications of the Cyber Resilience Act. */
import { craStates } from '../../api/cra.ts';
import { oneOf, searchOf, text } from '../../search.ts';

export const craSearch = searchOf({ state: oneOf(...craStates), application: text, cursor: text });
export type CraSearch = ReturnType<typeof craSearch>;
