export { Fragment, type JSX, jsxDEV } from './jsx-runtime.ts'
