/** Takes a list from the text box, the file chooser, or a dropped file. */
import { byId } from './dom.js'

/** Bytes; a list of 50,000 rows is far smaller. */
const LARGEST_FILE = 20 * 1024 * 1024

/**
 * Calls `change` with the list whenever it changes, and `fault` with words if a file is too large.
 *
 * @param {{ change: (list: Blob, name: string | null) => void, fault: (words: string) => void }} listener
 */
export function startSource({ change, fault }) {
  const box = byId('values', HTMLTextAreaElement)
  const drop = byId('drop', HTMLElement)
  const chooser = byId('file', HTMLInputElement)
  const chosen = byId('chosen-file', HTMLElement)
  const name = byId('file-name', HTMLElement)

  /** @param {File | undefined} file */
  function take(file) {
    if (file === undefined) return
    const hadFocus = document.activeElement === chooser
    if (file.size > LARGEST_FILE)
      fault('The file is larger than 20 MB. The command line reads lists of any size.')
    else {
      name.replaceChildren(file.name)
      showFile(true)
      if (hadFocus) byId('remove-file', HTMLElement).focus()
      change(file, file.name)
    }
    chooser.value = ''
  }

  /** @param {boolean} isFile */
  function showFile(isFile) {
    chosen.hidden = !isFile
    drop.hidden = isFile
  }

  const typed = () => new Blob([box.value])
  box.addEventListener('input', () => change(typed(), null))
  chooser.addEventListener('change', () => take(chooser.files?.[0]))
  byId('remove-file', HTMLElement).addEventListener('click', () => {
    showFile(false)
    box.focus()
    change(typed(), null)
  })
  // A file that misses the box must not replace the page.
  window.addEventListener('dragover', (event) => event.preventDefault())
  window.addEventListener('drop', (event) => event.preventDefault())
  drop.addEventListener('dragover', () => drop.classList.add('over'))
  drop.addEventListener('dragleave', () => drop.classList.remove('over'))
  drop.addEventListener('drop', (event) => {
    drop.classList.remove('over')
    const [file] = event.dataTransfer?.files ?? []
    if (file !== undefined) take(file)
  })
}
