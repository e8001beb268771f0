#!/usr/bin/env node
/**
 * Entry of the `everdue` command. It answers with its purpose until the commands stand here.
 */
process.stdout.write('everdue: durable schedules\n');
