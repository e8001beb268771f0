/** Topic `size`: what a browser has to fetch for due instants. */
import { sizes } from './size/bundles.mjs';

await sizes();
