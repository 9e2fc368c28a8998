/**
 * The configuration of a cluster as values: those of one matter are in a package of their own, and
 * what reads them from text and prints them is in {@code slurmconf}.
 */
@org.jspecify.annotations.NullMarked
package io.dure.model.config;
