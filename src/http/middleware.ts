import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request in full; plain Node types, so it runs under Express and straight on `node:http`. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** Looks at a request and passes it on; fits `app.use` of Express. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void
