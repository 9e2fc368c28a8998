package io.dure.model.config.step;

/**
 * How nodes run OCI bundles ({@code --container}). Commands are patterns, empty for none.
 *
 * @param path where the copy of a bundle's description is made, empty for a folder in the spool
 * @param inside where that folder is in the container
 * @param create makes a container
 * @param start starts what was made
 * @param run does both and waits
 * @param kill ends it
 * @param delete removes it
 * @param query tells of it
 * @param environmentFile what ends a variable in the file of them: {@code newline}, {@code null},
 *     or empty for no file
 * @param excluded a regular expression; variables that match it do not come into the container
 * @param excludedFromRuntime a regular expression; those that match it do not reach the runtime
 * @param keeps whether what the runtime has is left where a container has ended
 * @param ignoresDescription whether the bundle has no description that is to be read
 */
public record OciSettings(
    String path,
    String inside,
    String create,
    String start,
    String run,
    String kill,
    String delete,
    String query,
    String environmentFile,
    String excluded,
    String excludedFromRuntime,
    boolean keeps,
    boolean ignoresDescription) {}
