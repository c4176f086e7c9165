/** A script of the pages that needs no page; named at run time because the product's types do not cover scripts. */
export const asset = async <Module>(name: string): Promise<Module> =>
  (await import(
    /* @vite-ignore */ new URL(`../../../../src/surfaces/site/assets/${name}`, import.meta.url).href
  )) as Module
