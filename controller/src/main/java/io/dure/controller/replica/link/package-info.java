/** The connections over which controllers send each other the messages of their log. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica.link;
