import { createServer } from 'node:http';

/** A grader that knows every cert, and a market with three sales of each series. */
export type Services = { address: string; close(): void };

/** Starts them on the loopback; `labels` are what the grader reads, by cert. */
export async function openServices(
  labels: readonly { name: string; set: string; number: string }[],
): Promise<Services> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const cert = url.pathname.split('/')[2] ?? '';
    const label = labels[Number(cert) % labels.length];
    const [item, grade] = [url.searchParams.get('item'), url.searchParams.get('grade')];
    const sales = [1, 2, 3].map((n) => ({
      id: `${item}-${grade}-${n}`,
      item,
      grade,
      price: `${90 + n}`,
      at: `2026-06-2${n}`,
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url.pathname.startsWith('/slabs/') ? { cert, grade: 'MINT 9', ...label } : { sales }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The file of CONNECTIONS_FILE for them, and a watched folder. */
export function connectionsTo({ address }: Services, folder: string): string {
  return `graders:
  - id: registry
    kind: http-json
    private: true
    companies: [PSA]
    url: ${address}/slabs/{cert}
    fields: { certNumber: /cert, grade: /grade, subject: /name, set: /set, cardNumber: /number }
sources:
  - id: market
    kind: json-http
    private: true
    url: ${address}/sold?item={itemId}&grade={grade}&company={company}
    tells: sale
    rows: /sales
    fields: { sale_id: /id, item_id: /item, grade: /grade, price: /price, sold_at: /at }
    constants: { currency: USD, company: PSA }
  - id: drop
    kind: watched-folder
    path: ${folder}
    settleSeconds: 1
`;
}
