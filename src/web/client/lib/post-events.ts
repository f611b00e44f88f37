/** Sends a file and reads the server-sent events of the answer; EventSource cannot post. Throws when it is rejected. */
export async function* readEvents(address: string, file: File): AsyncGenerator<{ name: string; data: unknown }> {
  const body = new FormData();
  body.set('file', file);
  const response = await fetch(address, { method: 'POST', body, headers: { accept: 'text/event-stream' } });
  if (!response.ok || response.body === null) throw new Error(await problemOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}

async function problemOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { detail: string }).detail;
  } catch {
    return 'The photo was rejected. Try again in a moment.';
  }
}
