/** Colours for code as markup with classes; no style leaves this file. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { type Html, html } from '../../../values/html.ts'

const LANGUAGES = { bash, go, http, javascript, json, php, python, typescript, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Markup of the code; plain text for a language that is not known. */
export function highlight(code: string, language: string): Html {
  if (hljs.getLanguage(language) === undefined) return html`${code}`
  return { markup: hljs.highlight(code, { language }).value }
}
