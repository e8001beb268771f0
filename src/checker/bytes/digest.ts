/**
 * SHA-256 in one call where the runtime has that (Node 20.12 and newer): a check asks for one for every line of a workspace.
 */
import * as crypto from 'node:crypto';

/** SHA-256 of bytes, or of a text as UTF-8. @internal */
export const digestOf: (content: Buffer | string, encoding: 'hex' | 'base64') => string =
  typeof crypto.hash === 'function'
    ? (content, encoding) => crypto.hash('sha256', content, encoding)
    : (content, encoding) => crypto.createHash('sha256').update(content).digest(encoding);
