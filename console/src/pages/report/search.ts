/** The parameters in the address of the status report. */
import { queryValues } from '@merlon/client';
import { oneOf, searchOf, text } from '../../search.ts';

/** Without an organization and an application, the report is about the whole workspace. */
export const reportSearch = searchOf({
  organization: text,
  application: text,
  by: oneOf(...queryValues.getStatusReport.by),
});
