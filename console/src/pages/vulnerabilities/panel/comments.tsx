/** The comments, the newest last. A member writes comments and deletes their own; an admin deletes any. */
import { Button, Group, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client.ts';
import { sessionQuery } from '../../../api/session.ts';
import { type Comment, commentsQuery } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { ConfirmedButton } from '../../../components/confirmed-button.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Note } from '../../../components/note.tsx';
import { visibleText } from '../../../components/report-text.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useRequired } from '../../../components/use-required.ts';
import { PersonName } from '../person-name.tsx';

export function Comments({ id }: { id: string }) {
  const workspace = useWorkspace();
  const query = useInfiniteQuery(commentsQuery(workspace.slug, id));
  return (
    <>
      <Loaded query={query} noun="the comments" lines={1}>
        {({ pages }) => {
          const comments = pages.flatMap((page) => page.items);
          if (comments.length === 0) return <Note>There are no comments yet.</Note>;
          return (
            <ol className="vuln-comments">
              {comments.map((comment) => (
                <li key={comment.id}>
                  <OneComment id={id} comment={comment} />
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
      <ShowMore query={query} noun="comments" />
      {workspace.may('member') && <CommentForm id={id} />}
    </>
  );
}

function OneComment({ id, comment }: { id: string; comment: Comment }) {
  const workspace = useWorkspace();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isMine = session.signed_in && comment.author?.id === session.user.id;
  return (
    <>
      <div className="vuln-comment-head">
        {comment.author ? (
          <PersonName name={comment.author.display_name} email={comment.author.email} />
        ) : (
          <span>Somebody who has left</span>
        )}
        <span className="vuln-note">
          <TimeText value={comment.created_at} />
        </span>
        {(isMine || workspace.may('admin')) && (
          <ConfirmedButton
            variant="subtle"
            color="gray"
            ml="auto"
            title="Delete the comment"
            consequences="It is deleted for everybody and cannot be restored."
            confirm="Delete"
            isRemoval
            act={() =>
              api.deleteComment({
                path: { tenant_slug: workspace.slug, vulnerability: id, comment: comment.id },
              })
            }
            done="The comment is deleted."
            changed={[commentsQuery(workspace.slug, id).queryKey]}
          >
            Delete
          </ConfirmedButton>
        )}
      </div>
      <p className="vuln-description break" dir="auto">
        {visibleText(comment.body)}
      </p>
    </>
  );
}

// The server has the same maximum.
const maxLength = 10_000;

function CommentForm({ id }: { id: string }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [body, setBody] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.addComment({ path: { tenant_slug: slug, vulnerability: id }, body: { body: body.trim() } }),
    onSuccess: () => {
      setBody('');
      return queryClient.invalidateQueries(commentsQuery(slug, id));
    },
  });
  const field = useRequired({ message: 'Enter a comment first.', value: body });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form onSubmit={submit} className="vuln-comment-form">
      <ErrorAlert error={error} mb="xs" />
      <Textarea
        aria-label="Comment"
        placeholder="What have you found out?"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={maxLength}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
        {...field}
      />
      <Group justify="flex-end" mt={6}>
        <Button type="submit" size="compact-sm" loading={isPending}>
          Comment
        </Button>
      </Group>
    </form>
  );
}
