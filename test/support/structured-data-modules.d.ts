declare module '@adobe/structured-data-validator' {
  export default class Validator {
    validate(
      extracted: unknown,
    ): Promise<{ rootType: string; issueMessage: string; severity: string; fieldNames: string[] }[]>;
  }
}

declare module '@marbec/web-auto-extractor' {
  export default class AutoExtractor {
    constructor(options: { addLocation: boolean });
    parse(html: string): { errors: unknown[] };
  }
}
