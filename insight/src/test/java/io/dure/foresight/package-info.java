/** What is foretold of the starts of jobs, and told to people. */
@org.jspecify.annotations.NullMarked
package io.dure.foresight;
