/** PrologSlurmctld and EpilogSlurmctld: the administrator's programs around a job, run here. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.script;
