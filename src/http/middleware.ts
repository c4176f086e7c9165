import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request; plain Node types, so it runs under Express and on `node:http`. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** Passes a request on or answers it; fits `app.use` of Express. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void
