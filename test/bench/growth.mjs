/** Topic `growth`: what years of history cost a workspace that goes on. */
import { growth } from './growth/growth.mjs';

await growth();
