/** The daemon that keeps the books of several clusters, and their accounts. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.slurmdbd;
