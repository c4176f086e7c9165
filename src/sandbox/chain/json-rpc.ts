import { sendRequest } from '../../outbound/send-request.ts'

/** Throws on any error. */
export async function callRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const { text } = await sendRequest({
    url: new URL(rpcUrl),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    timeoutMs: 5_000,
    mostBytes: 16 * 1024 * 1024,
  })
  const answer = JSON.parse(text) as { result?: unknown; error?: { message: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
