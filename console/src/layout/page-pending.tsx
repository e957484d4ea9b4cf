/** While the code of a page is on its way. */
import { LoadingState } from '../components/loading-state.tsx';

export function PagePending() {
  return <LoadingState label="Loading the page" />;
}
