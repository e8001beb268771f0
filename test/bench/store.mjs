/** Topic `store`: what a durable commit costs. */
import './measuring/flushes.mjs';
import { commits } from './store/commits.mjs';

await commits();
