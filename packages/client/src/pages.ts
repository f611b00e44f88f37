type Page = { nextCursor?: string | null; hasMore?: boolean };
type PagedCall = (params: never) => Promise<Page>;

/** Every page of a call that has a cursor, from the first to the last: `for await (const page of pages(mintmark.search, { tag }))`. */
export async function* pages<Call extends PagedCall>(
  call: Call,
  params: NonNullable<Parameters<Call>[0]>,
): AsyncGenerator<Awaited<ReturnType<Call>>> {
  let { after } = params as { after?: string };
  for (let hasMore = true; hasMore; ) {
    const page = await call({ ...(params as object), after } as never);
    yield page as Awaited<ReturnType<Call>>;
    after = page.nextCursor ?? undefined;
    // The last page of `changes` has the cursor of what follows later.
    hasMore = after !== undefined && page.hasMore !== false;
  }
}
