import { defineConfig } from 'drizzle-kit'

/** `bun run db:generate` writes the next migration from what changed in the schema. */
export default defineConfig({ dialect: 'sqlite', schema: './src/store/schema.ts', out: './drizzle' })
