#!/usr/bin/env node
/**
 * Entry of the `everdue` command: joins the program to this process.
 */
import manifest from '../../../package.json' with { type: 'json' };
import { runCli } from './program.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function onInterrupt(heard: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, heard);
  return () => {
    for (const signal of SIGNALS) process.off(signal, heard);
  };
}

// Each write tells of its own failure; without a listener a closed pipe would end the process first.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
const surroundings = { stdin, stdout, stderr, env, cwd: process.cwd(), onInterrupt };
// Everything is written by now, and what a host's configuration still holds open must not keep the process.
process.exit(await runCli(process.argv.slice(2), surroundings, manifest.version));
