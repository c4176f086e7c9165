/** The two free resources, under the URLs at which they are also served over HTTP. */
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { PATHS } from '../call/paths.ts'

export interface ResourceTexts {
  readonly priceList: string
  readonly docs: string
}

export interface Resources {
  readonly list: Resource[]
  /** Throws a protocol error for a URI that is not listed. */
  read(uri: string): ReadResourceResult
}

export function freeResources(baseUrl: string, texts: ResourceTexts): Resources {
  const priceList = {
    uri: `${baseUrl}${PATHS.types}`,
    name: 'price-list',
    title: 'Price list',
    description: 'Every check with price, network, asset and payee.',
    mimeType: 'application/json',
  }
  const docs = {
    uri: `${baseUrl}${PATHS.llmsFull}`,
    name: 'docs',
    title: 'Documentation',
    description: 'What each check says and does not say, and how to pay for it.',
    mimeType: 'text/markdown',
  }
  const contents = new Map(
    [
      { ...priceList, text: texts.priceList },
      { ...docs, text: texts.docs },
    ].map(({ uri, mimeType, text }) => [uri, { uri, mimeType, text }]),
  )
  return {
    list: [priceList, docs],
    read(uri) {
      const content = contents.get(uri)
      if (content === undefined) throw new ResourceNotFoundError(uri)
      return { contents: [content] }
    },
  }
}
