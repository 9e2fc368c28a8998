/** What commands that act on jobs and nodes have in common: naming jobs, understanding answers. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.request;
