/** Where a list comes from: lines that were typed or pasted, a chosen file, a file that was dropped. */
import { byId } from './dom.js'
import { decodeList, LARGEST_FILE, ListFault } from './list-text.js'

/**
 * Calls `change` with the text of the list whenever it changes, and `fault` with words if a file cannot be read.
 *
 * @param {{ change: (text: string, name: string | null) => void, fault: (words: string) => void }} listener
 */
export function startSource({ change, fault }) {
  const box = byId('values', HTMLTextAreaElement)
  const drop = byId('drop', HTMLElement)
  const chooser = byId('file', HTMLInputElement)
  const chosen = byId('chosen-file', HTMLElement)
  const name = byId('file-name', HTMLElement)
  /** Counts the files, so that a slow one does not replace a later one. */
  let turn = 0

  /** @param {File | undefined} file */
  async function take(file) {
    if (file === undefined) return
    turn += 1
    const mine = turn
    try {
      if (file.size > LARGEST_FILE) {
        throw new ListFault('The file is larger than 5 MB. The command line reads lists of any size.')
      }
      const text = decodeList(new Uint8Array(await file.arrayBuffer()))
      if (mine !== turn) return
      const hadFocus = document.activeElement === chooser
      name.replaceChildren(file.name)
      showFile(true)
      if (hadFocus) byId('remove-file', HTMLElement).focus()
      change(text, file.name)
    } catch (error) {
      fault(error instanceof ListFault ? error.message : 'The file could not be read.')
    } finally {
      chooser.value = ''
    }
  }

  /** @param {boolean} isFile */
  function showFile(isFile) {
    chosen.hidden = !isFile
    drop.hidden = isFile
  }

  box.addEventListener('input', () => change(box.value, null))
  chooser.addEventListener('change', () => void take(chooser.files?.[0]))
  byId('remove-file', HTMLElement).addEventListener('click', () => {
    turn += 1
    showFile(false)
    box.focus()
    change(box.value, null)
  })
  // A file that misses the box must not replace the page.
  window.addEventListener('dragover', (event) => event.preventDefault())
  window.addEventListener('drop', (event) => event.preventDefault())
  drop.addEventListener('dragover', () => drop.classList.add('over'))
  drop.addEventListener('dragleave', () => drop.classList.remove('over'))
  drop.addEventListener('drop', (event) => {
    drop.classList.remove('over')
    const [file] = event.dataTransfer?.files ?? []
    if (file !== undefined) void take(file)
  })
}
