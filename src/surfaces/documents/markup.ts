const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in HTML and XML, inside elements and in attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

/** A whole page without scripts or styles, which any content security policy allows. */
export function page(title: string, content: readonly string[]): string {
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(title)}</title>`,
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '</head>',
    '<body>',
    ...content,
    '</body>',
    '</html>',
  ].join('\n')}\n`
}
