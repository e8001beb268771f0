/** Topic `dispatch`: from due to done, one at a time, as a backlog, and all at once. */
import './measuring/flushes.mjs';
import { burst } from './dispatch/burst.mjs';
import { oneDue } from './dispatch/one-due.mjs';
import { throughput } from './dispatch/throughput.mjs';

await oneDue();
await throughput();
await burst();
