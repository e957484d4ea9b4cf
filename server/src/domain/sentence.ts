/** The type of each text that people read: both command lines print such texts, and so their package declares it. */
export type { Sentence } from '@merlon/terminal';
