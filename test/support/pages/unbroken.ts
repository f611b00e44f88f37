/** A page without the marks of where its lines may break: its sentences and addresses in one piece. */
export function unbroken(html: string): string {
  return html.replace(/<wbr\/?>/g, '').replace(/<span class="number">([^<]*)<\/span>/g, '$1');
}
