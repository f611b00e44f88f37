/** Runs on every page that has something to copy: a button that puts the text it names on the clipboard. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;

// A chart that is swapped in has a button too.
document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
  if (button === null) return;
  const source = document.getElementById(button.dataset.copy!);
  await navigator.clipboard.writeText(source?.textContent ?? '');
  const said = button.dataset.said ?? button.innerHTML;
  button.dataset.said = said;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.innerHTML = said;
  }, 2000);
});
