/** SQLSTATE classes 08, 28, 53, 57P0 and a lost database: PostgreSQL is away, full or rejects us. And the socket's own. */
const AWAY =
  /^((08|28|53)\w{3}|57P0\w|3D000|E(CONNREFUSED|CONNRESET|NOENT|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|EAI_AGAIN)$/;
/** What the driver throws without a code. */
const DRIVER_GAVE_UP =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)/;

/** Whether a server that took a statement did not answer it in time: it hangs, or is busy. */
export function isReadTimeout({ message }: { message: string }): boolean {
  return message === 'Query read timeout';
}

/** Whether an error of the driver says that the database cannot be used now, whatever is asked of it. */
export function isConnectionLoss(error: { code?: string; message: string }): boolean {
  return AWAY.test(error.code ?? '') || DRIVER_GAVE_UP.test(error.message);
}
