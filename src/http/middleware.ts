import type { IncomingMessage, ServerResponse } from 'node:http'

/** Takes plain Node types, so it runs under Express and on `node:http`. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** Fits `app.use` of Express. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void
