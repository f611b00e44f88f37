export function clientApi(document: object): string;
export function formatted(text: string): string;
