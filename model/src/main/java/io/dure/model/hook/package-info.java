/** What the controller keeps of the programs and places that are told of jobs and nodes. */
@NullMarked
package io.dure.model.hook;

import org.jspecify.annotations.NullMarked;
