/** Topic `startup`: what a catalogue costs before and between the times when it is useful. */
import { startUp } from './startup/start-up.mjs';

await startUp();
