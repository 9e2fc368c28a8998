/** The long texts of jobs and their names. */
@org.jspecify.annotations.NullMarked
package io.dure.model.jobtext;
