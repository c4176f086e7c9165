/**
 * Providers that give addresses to anyone, as reviewed on 28 November 2026 without a look at the pages: country, the page to compare,
 * domains. No list of throw-away domains: those double within months and hold real services.
 */
export const PUBLIC_PROVIDERS: readonly (readonly [country: string, page: string, domains: string])[] = [
  ['US', 'https://accounts.google.com/signup', 'gmail.com googlemail.com'],
  [
    'US',
    'https://signup.live.com/',
    'outlook.com hotmail.com live.com msn.com outlook.de outlook.fr outlook.es outlook.it hotmail.de hotmail.fr hotmail.es hotmail.it hotmail.co.uk live.co.uk live.fr live.nl',
  ],
  [
    'US',
    'https://login.yahoo.com/account/create',
    'yahoo.com ymail.com yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.uk',
  ],
  ['US', 'https://www.icloud.com/mail', 'icloud.com me.com mac.com'],
  ['US', 'https://mail.aol.com/', 'aol.com'],
  ['CH', 'https://proton.me/mail', 'proton.me protonmail.com pm.me'],
  ['DE', 'https://www.gmx.net/mail/', 'gmx.de gmx.net gmx.at gmx.ch'],
  ['DE', 'https://www.gmx.com/mail/', 'gmx.com mail.com'],
  ['DE', 'https://web.de/email/', 'web.de'],
  ['DE', 'https://www.freenet.de/mail/', 'freenet.de'],
  ['DE', 'https://www.t-online.de/email/', 't-online.de'],
  ['DE', 'https://posteo.de/', 'posteo.de'],
  ['DE', 'https://tuta.com/secure-email', 'tuta.com tutanota.com tutanota.de'],
  ['FR', 'https://www.laposte.net/accueil', 'laposte.net'],
  ['IT', 'https://www.libero.it/mail/', 'libero.it'],
  ['IT', 'https://mail.virgilio.it/', 'virgilio.it'],
  ['IT', 'https://mail.tiscali.it/', 'tiscali.it'],
  ['PL', 'https://poczta.wp.pl/', 'wp.pl o2.pl tlen.pl go2.pl'],
  ['PL', 'https://poczta.onet.pl/', 'onet.pl op.pl vp.pl onet.eu poczta.onet.pl autograf.pl buziaczek.pl'],
  ['PL', 'https://poczta.interia.pl/', 'interia.pl interia.eu poczta.fm intmail.pl'],
  ['PL', 'https://poczta.gazeta.pl/', 'gazeta.pl'],
  ['CZ', 'https://email.seznam.cz/', 'seznam.cz email.cz post.cz'],
  ['CZ', 'https://www.centrum.cz/', 'centrum.cz volny.cz atlas.cz'],
  ['SK', 'https://www.azet.sk/', 'azet.sk'],
  ['SK', 'https://www.centrum.sk/', 'centrum.sk'],
  ['HU', 'https://freemail.hu/', 'freemail.hu'],
  ['HU', 'https://citromail.hu/', 'citromail.hu'],
  ['BG', 'https://www.abv.bg/', 'abv.bg'],
  ['RO', 'https://mail.yahoo.com/', 'yahoo.ro'],
  ['LT', 'https://www.inbox.lt/', 'inbox.lt'],
  ['LV', 'https://www.inbox.lv/', 'inbox.lv'],
  ['EE', 'https://www.mail.ee/', 'mail.ee'],
  ['GR', 'https://mail.in.gr/', 'in.gr'],
  ['UA', 'https://www.ukr.net/', 'ukr.net'],
  ['UA', 'https://mail.i.ua/', 'i.ua'],
  ['RU', 'https://mail.ru/', 'mail.ru list.ru bk.ru inbox.ru'],
  ['RU', 'https://mail.yandex.com/', 'yandex.ru yandex.com'],
  ['PT', 'https://mail.sapo.pt/', 'sapo.pt'],
  ['IN', 'https://www.zoho.com/mail/', 'zohomail.com zohomail.eu'],
  ['US', 'https://www.fastmail.com/', 'fastmail.com fastmail.fm'],
  ['US', 'https://www.hushmail.com/', 'hushmail.com'],
]

let domains: ReadonlySet<string> | undefined

/** `domain` must be in lower case. */
export function isPublicProvider(domain: string): boolean {
  domains ??= new Set(PUBLIC_PROVIDERS.flatMap(([, , names]) => names.split(' ')))
  return domains.has(domain)
}
