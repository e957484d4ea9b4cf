/** While the code of a page is on its way. */
import { LoadingState } from '../parts/loading-state.tsx';

export function PagePending() {
  return <LoadingState label="Loading the page" />;
}
