import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

export interface Relayed {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface RecordingRelay {
  readonly url: string
  /** Every request with its headers, oldest first. */
  readonly seen: Relayed[]
  stop(): Promise<void>
}

/** Passes requests on and keeps them with their headers; without a target it answers 200 with an empty object. */
export async function startRecordingRelay(target?: string): Promise<RecordingRelay> {
  const seen: Relayed[] = []
  const server = createServer((incoming, response) => {
    void relay().catch(() => response.destroy())
    async function relay(): Promise<void> {
      const { url: path = '/', headers, method = 'GET' } = incoming
      const body = await buffer(incoming)
      seen.push({ path, headers, body })
      const answer =
        target === undefined
          ? new Response('{}')
          : await fetch(new URL(path, target), {
              method,
              headers: { 'content-type': 'application/json' },
              ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
            })
      const text = await answer.text()
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    }
  })
  const listening = await listenOnLoopback(server)
  return {
    ...listening,
    seen,
  }
}
