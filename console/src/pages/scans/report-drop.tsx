/** The area where reports are dropped or chosen by the browser's dialog. */
import { Button, Group, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { Note } from '../../components/note.tsx';
import '@mantine/dropzone/styles.layer.css';

export function ReportDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const choose = useRef<() => void>(null);
  return (
    <Dropzone
      onDrop={onFiles}
      openRef={choose}
      activateOnKeyboard={false}
      tabIndex={-1}
      inputProps={{ 'aria-label': 'Report files' }}
      enablePointerEvents
    >
      <Group justify="center" gap="md" mih={96} className="upload-drop">
        <IconFileUpload size={34} stroke={1.3} aria-hidden="true" />
        <div>
          <Text fw={550}>Drop reports here</Text>
          <Note>
            SARIF, CycloneDX, SPDX, OpenVEX, or the scanner’s own JSON, XML or CSV; plain, gzip or zstd
          </Note>
        </div>
        <Button
          variant="default"
          onClick={(event) => {
            // The surrounding area opens the dialog too, so the event must not reach it.
            event.stopPropagation();
            choose.current?.();
          }}
        >
          Choose files
        </Button>
      </Group>
    </Dropzone>
  );
}
