import type { Skill } from './skill.ts'

/** What a result holds, in Markdown. */
export const resultWords = ({ mask }: Pick<Skill, 'mask'>): string =>
  `\`type\`, \`valid\`, \`normalized\`, \`reason\`, \`details\`, in this order, always all five. \`normalized\` is masked with U+2022 BULLET (${mask.words}) and null when invalid.`
