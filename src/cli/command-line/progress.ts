export interface Progress {
  show(text: string): void
  end(): void
}

/** One line that is rewritten on a terminal; nothing on a pipe. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let isShown = false
  return {
    show(text) {
      if (stream.isTTY) stream.write(`\r${text}\u001b[K`)
      isShown = true
    },
    end() {
      if (isShown && stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}
