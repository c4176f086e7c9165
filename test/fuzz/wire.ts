import { connect, type Socket } from 'node:net'
import type { FuzzInput } from './input.ts'
import { answerReader, type WireAnswer } from './read-answers.ts'

export interface Exchanged {
  readonly input: FuzzInput
  /** Null where none came. */
  readonly answer: WireAnswer | null
}

/** How long one exchange may take before it counts as never answered; a sale in doubt takes half of it. */
const PATIENCE_MS = 60_000

/** A connection that is kept and carries requests one behind the other without waiting for their answers. */
export interface Pipe {
  /**
   * Sends all of them at once, and what stands behind an answer that closes the connection over the next one, as clients
   * do; resolves with an answer for each, or with nulls where a connection ended without one that says so.
   */
  send(inputs: readonly FuzzInput[]): Promise<Exchanged[]>
  close(): void
}

export function openPipe(port: number): Pipe {
  let socket: Socket | undefined
  let batch: Batch | undefined

  function connected(): Socket {
    const fresh = connect(port, '127.0.0.1')
    fresh.on('data', (bytes: Buffer) => batch?.read(bytes))
    fresh.on('error', () => {})
    fresh.on('close', () => {
      if (socket === fresh) end()
    })
    return fresh
  }

  function end(): void {
    socket?.destroy()
    socket = undefined
    batch?.settle()
  }

  const sendOnce = (inputs: readonly FuzzInput[]) =>
    new Promise<Exchanged[]>((resolve, reject) => {
      const patience = setTimeout(end, PATIENCE_MS)
      batch = readBatch(inputs, end, (exchanged) => {
        clearTimeout(patience)
        batch = undefined
        if (exchanged instanceof Error) reject(exchanged)
        else resolve(exchanged)
      })
      socket ??= connected()
      socket.write(Buffer.concat(inputs.map(({ bytes }) => bytes)))
    })
  const send = async (inputs: readonly FuzzInput[]): Promise<Exchanged[]> => {
    const exchanged = await sendOnce(inputs)
    const answered = exchanged.filter(({ answer }) => answer !== null)
    const isClosed = closes(answered.at(-1)?.answer)
    if (!isClosed || answered.length === inputs.length) return exchanged
    return [...answered, ...(await send(inputs.slice(answered.length)))]
  }
  return { send, close: end }
}

const closes = (answer: WireAnswer | null | undefined): boolean =>
  /\r\nconnection: close/i.test(answer?.head ?? '')

interface Batch {
  read(bytes: Buffer): void
  settle(): void
}

function readBatch(
  inputs: readonly FuzzInput[],
  end: () => void,
  done: (outcome: Exchanged[] | Error) => void,
): Batch {
  const answers: WireAnswer[] = []
  const reader = answerReader(
    () => inputs[answers.length]?.method,
    (answer) => answers.push(answer),
  )
  const settle = () => done(inputs.map((input, at) => ({ input, answer: answers[at] ?? null })))
  return {
    settle,
    read(bytes) {
      try {
        reader.read(bytes)
      } catch (error) {
        return done(error as Error)
      }
      if (closes(answers.at(-1))) end()
      else if (answers.length >= inputs.length) settle()
    },
  }
}

/** Sends bytes that may be no request over a connection of their own, and reads what comes until it is closed. */
export function sendAlone(port: number, input: FuzzInput): Promise<WireAnswer[]> {
  return new Promise((resolve) => {
    const answers: WireAnswer[] = []
    const reader = answerReader(
      () => input.method,
      (answer) => answers.push(answer),
    )
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
    const patience = setTimeout(() => socket.destroy(), PATIENCE_MS)
    socket.on('data', (bytes: Buffer) => {
      try {
        reader.read(bytes)
      } catch {
        // What HEAD is answered with looks cut off to a reader that does not know what was asked.
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(answers)
    })
    socket.on('connect', () => {
      if (input.leaves === true) socket.write(input.bytes, () => socket.destroy())
      else socket.end(input.bytes)
    })
  })
}
